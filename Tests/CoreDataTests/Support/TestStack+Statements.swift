import Testing

@testable import CoreData

extension TestStack {
  /// How many statements `body` makes contexts read with; no other context of the stack reads meanwhile.
  func statements(_ body: () throws -> Void) throws -> Int {
    let before = try readStatements()
    try body()
    return try readStatements() - before
  }

  /// Expects `body` to make contexts read with that many.
  func expect(
    statements expected: Int, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
  ) throws {
    let found = try statements(body)
    #expect(found == expected, sourceLocation: sourceLocation)
  }

  private func readStatements() throws -> Int {
    guard let store = container.persistentStoreCoordinator.persistentStores.first else {
      throw CocoaError(.fileNoSuchFile)
    }
    return store.sqlite.readStatements
  }
}
