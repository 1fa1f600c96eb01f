/// Why instructions could not be counted or compared.
package struct InstructionsFault: Error, CustomStringConvertible, Equatable {
  package let description: String
  package init(_ description: String) { self.description = description }
}
