/// What one call of a benchmark's body costs, as counted.
package struct Count: Equatable {
  /// Items that the call handles.
  package var items: Int

  package var instructions: Int

  /// Calls of the C allocator that hand out memory.
  package var allocations: Int

  package init(items: Int, instructions: Int, allocations: Int) {
    self.items = items
    self.instructions = instructions
    self.allocations = allocations
  }

  package var instructionsPerItem: Double { Double(instructions) / Double(items) }
}
