/// A row of a table: a benchmark, what its rate is measured against, and the ratio that it should have.
package struct Comparison {
  package let name: String
  package let reference: String?
  package let target: Double?

  package init(name: String, reference: String?, target: Double?) {
    self.name = name
    self.reference = reference
    self.target = target
  }
}
