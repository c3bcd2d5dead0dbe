/// How often a fault that a scenario asks for happened in a cell.
package struct InjectedFaultCount: Codable, Sendable, Hashable {
  /// The fault's name.
  package var name: String
  package var count: Int

  package init(name: String, count: Int) {
    self.name = name
    self.count = count
  }
}
