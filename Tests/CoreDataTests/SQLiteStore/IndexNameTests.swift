import Testing

@testable import CoreData

/// Fetch indexes with names of any characters. S6.4, S9.2
@Suite struct IndexNameTests {
  @Test(arguments: ["byTitle", "by title", "by-title", "by\"title"])
  func aFetchIndexMayHaveAnyName(name: String) throws {
    let model = Notebook.model()
    let note = try #require(model.entitiesByName["Note"])
    let title = try #require(note.propertiesByName["title"])
    note.indexes = [
      NSFetchIndexDescription(
        name: name, elements: [NSFetchIndexElementDescription(property: title, collationType: .binary)])
    ]
    let stack = try TestStack(.file, model: model)
    try stack.seed(1...1)
    #expect(try stack.sql("SELECT name FROM sqlite_master WHERE name LIKE 'Z_Note_by%'") == ["Z_Note_\(name)"])
  }
}
