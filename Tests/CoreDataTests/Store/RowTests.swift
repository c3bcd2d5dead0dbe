import Foundation
import Testing

@testable import CoreData
@testable import RowStore

/// A row returns its values as they were set, wherever in memory they are, and releases them once.
@Suite struct RowTests {
  private static let types: [NSAttributeType] = [
    .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType,
    .doubleAttributeType,
    .floatAttributeType, .dateAttributeType, .decimalAttributeType, .URIAttributeType, .stringAttributeType,
    .binaryDataAttributeType, .UUIDAttributeType,
  ]

  private let model = NSManagedObjectModel()
  private let layout: EntityLayout

  /// Twelve attributes, so that the kinds do not fit into one word, and two relationships: to an entity from which another
  /// inherits, and to one from which none does.
  init() throws {
    let (thing, base, leaf, single) = (
      Self.entity("Thing"), Self.entity("Base"), Self.entity("Leaf"), Self.entity("Single")
    )
    base.subentities = [leaf]
    func relationship(_ name: String, to destination: NSEntityDescription, maxCount: Int) -> NSRelationshipDescription {
      let relationship = Notebook.relationship(name, to: destination, maxCount: maxCount)
      relationship.deleteRule = .nullifyDeleteRule
      return relationship
    }
    thing.properties =
      Self.types.enumerated().map { Notebook.attribute("a\($0)", $1) } + [
        relationship("family", to: base, maxCount: 1), relationship("single", to: single, maxCount: 1),
        relationship("many", to: single, maxCount: 0),
      ]
    model.entities = [thing, base, leaf, single]
    layout = try #require(try model.freeze().entitiesByName["Thing"])
  }

  private static func entity(_ name: String) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    return entity
  }

  private func index(_ name: String) throws -> Int { try #require(layout.propertiesByName[name]).index }

  private func number(_ entity: String) throws -> UInt16 {
    UInt16(try #require(layout.model.entitiesByName[entity]).number)
  }

  /// A value of each kind, with contents of two sizes.
  private func samples(_ type: NSAttributeType) -> [Slot] {
    let long = String(repeating: "long ", count: 20)
    switch type {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType:
      return [.integer(0), .integer(.min), .integer(.max)]
    case .doubleAttributeType, .floatAttributeType: return [.real(-0.5), .real(.infinity)]
    case .dateAttributeType: return [.date(1), .date(-1e9)]
    case .decimalAttributeType: return [.boxed(SlotBox(Decimal(1))), .boxed(SlotBox(Decimal(string: "1e-30")!))]
    case .URIAttributeType: return [.boxed(SlotBox(URL(string: "a:b")!))]
    case .stringAttributeType: return [.string(""), .string("short"), .string(long)]
    case .binaryDataAttributeType: return [.data(Data()), .data(Data(long.utf8)), .boxed(SlotBox(long))]
    default: return [.uuid(UUID()), .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))]
    }
  }

  @Test func eachValueIsReadAsItWasWrittenOverAnyOther() throws {
    let row = Row.make(layout, key: 1, version: 1)
    #expect((0..<row.count).allSatisfy { row[$0].isNull })
    for (number, type) in Self.types.enumerated() {
      let index = try index("a\(number)")
      for before in samples(type) + [.null] {
        for after in samples(type) + [.null] {
          row[index] = before
          row[index] = after
          #expect(row[index] == after)
          #expect((0..<row.count).allSatisfy { $0 == index || row[$0].isNull })
        }
      }
      row[index] = .null
    }
  }

  @Test func allValuesAtOnceDoNotTouchEachOther() throws {
    let row = Row.make(layout, key: 1, version: 1)
    var written: [Int: Slot] = [
      try index("family"): .reference(RowReference(key: 7, entity: try number("Leaf"))),
      try index("single"): .reference(RowReference(key: -8, entity: try number("Single"))),
    ]
    for (number, type) in Self.types.enumerated() {
      written[try index("a\(number)")] = samples(type).last
    }
    for (index, slot) in written { row[index] = slot }
    let copy = row.mutableCopy()
    for index in 0..<row.count {
      #expect(row[index] == written[index] ?? .null)
      #expect(copy[index] == row[index])
    }
    #expect(row.hasValues(of: copy))
    copy[try index("a9")] = .string("another")
    #expect(!row.hasValues(of: copy))
    #expect(row[try index("a9")] == written[try index("a9")])
  }

  @Test func aReferenceSaysWhichEntityItLeadsTo() throws {
    let row = Row.make(layout, key: 1, version: 1)
    for entity in ["Base", "Leaf"] {
      let reference = RowReference(key: 5, entity: try number(entity))
      row[try index("family")] = .reference(reference)
      #expect(row.values.reference(try index("family")) == reference)
    }
    let reference = RowReference(key: .max, entity: try number("Single"))
    row[try index("single")] = .reference(reference)
    #expect(row.values.reference(try index("single")) == reference)
  }

  @Test func whatARowHoldsGoesWithItsLastCopy() throws {
    let (decimal, data) = (try index("a7"), try index("a10"))
    weak var first: SlotBox?
    weak var second: SlotBox?
    var row: Row? = Row.make(layout, key: 1, version: 1)
    do {
      let boxes = (SlotBox(1), SlotBox(2))
      (first, second) = boxes
      row?[decimal] = .boxed(boxes.0)
      row?[data] = .boxed(boxes.1)
    }
    var copy = row?.mutableCopy()
    row = nil
    #expect(first != nil && second != nil)
    copy?[decimal] = .null
    #expect(first == nil && second != nil)
    copy = nil
    #expect(second == nil)
  }

  // As an accessor of another type than the model's gives it.
  @Test func whatDoesNotFitIsKeptAllTheSame() throws {
    let (integer, date, single) = (try index("a0"), try index("a6"), try index("single"))
    let row = Row.make(layout, key: 1, version: 1)
    let long = String(repeating: "long ", count: 20)
    for slot in [Slot.string(long), .uuid(UUID()), .data(Data(long.utf8)), .string("short")] {
      row[integer] = slot
      row[date] = slot
      #expect(row[integer] == slot && row[date] == slot)
      #expect(row.mutableCopy()[integer] == slot)
    }
    #expect(row.values.string(integer) == "short")
    row[integer] = .integer(7)
    #expect(row[integer] == .integer(7) && row[date] == .string("short"))
    let wrong = RowReference(key: 5, entity: try number("Leaf"))
    row[single] = .reference(wrong)
    #expect(row.values.reference(single) == wrong)
  }

  @Test func aRowMayOutliveItsLayout() throws {
    var row: Row?
    weak var box: SlotBox?
    weak var gone: EntityLayout?
    do {
      let model = NSManagedObjectModel()
      let entity = Self.entity("Alone")
      entity.properties = [
        Notebook.attribute("name", .stringAttributeType, defaultValue: String(repeating: "long ", count: 20)),
        Notebook.attribute("amount", .decimalAttributeType),
      ]
      model.entities = [entity]
      let layout = try #require(try model.freeze().entitiesByName["Alone"])
      gone = layout
      let held = SlotBox(3)
      box = held
      row = layout.defaultValues.mutableCopy()
      row?[try #require(layout.propertiesByName["amount"]).index] = .boxed(held)
    }
    #expect(gone == nil && box != nil)
    row = nil
    #expect(box == nil)
  }

  private final class Ending: Hashable {
    let end: () -> Void
    init(_ end: @escaping () -> Void) { self.end = end }
    deinit { end() }
    static func == (left: Ending, right: Ending) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  @Test func theNewValueStandsWhenTheOldOneEnds() throws {
    let index = try index("a7")
    let row = Row.make(layout, key: 1, version: 1)
    var seen: Slot?
    row[index] = .boxed(SlotBox(Ending { seen = row[index] }))
    row[index] = .integer(2)
    #expect(seen == .integer(2))
  }
}
