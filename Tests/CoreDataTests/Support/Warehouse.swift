import CoreData
import Scheduling

/// A model for predicates: every attribute type, sub-entities, relationships of every kind.
enum Warehouse {
  static func model() -> NSManagedObjectModel {
    let (thing, big, small) = (entity("Thing"), entity("BigThing"), entity("SmallThing"))
    let (box, room, part, tag) = (entity("Box"), entity("Room"), entity("Part"), entity("Tag"))
    let (step, stamp) = (entity("Step"), entity("Stamp"))
    thing.subentities = [big, small]
    let itsBox = Notebook.relationship("box", to: box, maxCount: 1)
    let things = Notebook.relationship("things", to: thing, maxCount: 0)
    let itsRoom = Notebook.relationship("room", to: room, maxCount: 1)
    let boxes = Notebook.relationship("boxes", to: box, maxCount: 0)
    let parts = Notebook.relationship("parts", to: part, maxCount: 0)
    let whole = Notebook.relationship("thing", to: thing, maxCount: 1)
    let tags = Notebook.relationship("tags", to: tag, maxCount: 0)
    let tagged = Notebook.relationship("things", to: thing, maxCount: 0)
    let steps = Library.ordered("steps", to: step)
    let owner = Notebook.relationship("owner", to: thing, maxCount: 1)
    let friends = Notebook.relationship("friends", to: thing, maxCount: 0)
    let stamps = Notebook.relationship("stamps", to: stamp, maxCount: 0)
    for (one, other) in [
      (itsBox, things), (itsRoom, boxes), (parts, whole), (tags, tagged), (steps, owner), (friends, friends),
    ] {
      one.inverseRelationship = other
      other.inverseRelationship = one
    }
    thing.properties = [
      attribute("n", .integer32AttributeType), attribute("s", .stringAttributeType),
      attribute("t", .stringAttributeType), attribute("i", .integer16AttributeType),
      attribute("j", .integer64AttributeType), attribute("d", .doubleAttributeType),
      attribute("f", .floatAttributeType), attribute("price", .decimalAttributeType),
      attribute("b", .booleanAttributeType), attribute("day", .dateAttributeType),
      attribute("uuid", .UUIDAttributeType), attribute("url", .URIAttributeType),
      attribute("data", .binaryDataAttributeType), itsBox, parts, tags, steps, friends, stamps,
    ]
    let cache = attribute("cache", .stringAttributeType)
    cache.isTransient = true
    big.properties = [attribute("size", .integer32AttributeType), attribute("mark", .stringAttributeType), cache]
    small.properties = [attribute("charm", .stringAttributeType), attribute("mark", .stringAttributeType)]
    box.properties = [
      attribute("name", .stringAttributeType), attribute("depth", .integer16AttributeType), things, itsRoom,
    ]
    room.properties = [attribute("name", .stringAttributeType), boxes]
    part.properties = [
      attribute("name", .stringAttributeType), attribute("weight", .doubleAttributeType),
      attribute("count", .integer64AttributeType), attribute("cost", .decimalAttributeType), whole,
    ]
    tag.properties = [attribute("name", .stringAttributeType), attribute("rank", .integer16AttributeType), tagged]
    step.properties = [attribute("name", .stringAttributeType), owner]
    stamp.properties = [attribute("name", .stringAttributeType)]
    let model = NSManagedObjectModel()
    model.entities = [thing, big, small, box, room, part, tag, step, stamp]
    return model
  }

  private static func entity(_ name: String) -> NSEntityDescription { Notebook.entity(name, NSManagedObject.self) }

  private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
    Notebook.attribute(name, type)
  }

  // MARK: Values

  static let texts = [
    "", "a", "A", "ab", "abc", "b", "ba", "é", "e\u{301}", "É", "straße", "STRASSE", "단어", "단", "👩‍👩‍👧", "🇳🇱x", "a*b",
    "a?b", "a[b]", "a\\b", "a%b", "10", " a ", "ﬁ", "ı", "İ", "x\u{0}y", "x", "\u{FFFF}", "\u{D7FF}", "\u{10FFFF}z",
  ]
  static let integers: [Int64] = [.min, -1, 0, 1, 2, 3, 7, 100, 1 << 53, 1 << 53 + 1, .max]
  static let reals = [-.infinity, -0.5, -0.0, 0, 0.1, 0.3, 1, 1.5, 2, 3, 0x1p53, 1e300, .infinity, .nan]
  static let decimals = ["0", "0.1", "0.3", "1", "2.5", "3", "-7", "12345678901.25", "0.30000000000001"]
  static let days = [0, 1, 1.5, 86_400, -3_600.25]
  static let uuids = (0..<3).map { UUID(uuid: (UInt8($0), 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255)) }
  static let urls = ["https://a.example/%C3%A9", "file:///a", "mailto:a@b.example"]
  static let datas = [Data(), Data([0]), Data([0, 255]), Data([1])]

  /// Things with random values and relationships, numbered by `n`; on the context's queue.
  static func fill(_ context: NSManagedObjectContext, _ count: Int, _ random: inout SeededRandom) -> [NSManagedObject] {
    func make(_ entity: String, _ count: Int) -> [NSManagedObject] { (0..<count).map { _ in context.insert(entity) } }
    let (rooms, boxes, parts) = (make("Room", 3), make("Box", 6), make("Part", count * 2))
    let (tags, steps, stamps) = (make("Tag", 6), make("Step", count), make("Stamp", count))
    let things = (0..<count).map { number in
      context.insert(["Thing", "BigThing", "SmallThing"][number % 3], ["n": number])
    }
    func set<Value>(_ object: NSManagedObject, _ key: String, _ values: [Value]) {
      let value = Int.random(in: 0..<5, using: &random) == 0 ? nil : values.randomElement(using: &random)
      object.setValue(value, forKey: key)
    }
    let small: [Int64] = [-1, 0, 1, 2, 3, 7, 100]
    for room in rooms { set(room, "name", texts) }
    for box in boxes {
      set(box, "name", texts)
      set(box, "depth", small)
      set(box, "room", rooms)
    }
    for thing in things {
      for key in ["s", "t"] { set(thing, key, texts) }
      set(thing, "i", small)
      set(thing, "j", integers)
      set(thing, "d", reals)
      set(thing, "f", [0, 0.5, 2, -3].map { Float($0) })
      set(thing, "price", decimals.compactMap { Decimal(string: $0) })
      set(thing, "b", [true, false])
      set(thing, "day", days.map { Date(timeIntervalSinceReferenceDate: $0) })
      set(thing, "uuid", uuids)
      set(thing, "url", urls.compactMap { URL(string: $0) })
      set(thing, "data", datas)
      set(thing, "box", boxes)
      switch thing.entity.name {
      case "BigThing":
        set(thing, "size", small)
        set(thing, "mark", texts)
      case "SmallThing":
        set(thing, "charm", texts)
        set(thing, "mark", texts)
      default: break
      }
      for (key, others) in [("tags", tags), ("friends", things)] {
        let some = others.filter { _ in Int.random(in: 0..<others.count, using: &random) < 2 }
        thing.setValue(Set(some), forKey: key)
      }
    }
    for part in parts {
      set(part, "name", texts)
      set(part, "weight", reals)
      set(part, "count", integers)
      set(part, "cost", decimals.compactMap { Decimal(string: $0) })
      set(part, "thing", things)
    }
    for tag in tags {
      set(tag, "name", texts)
      set(tag, "rank", small)
    }
    for step in steps {
      set(step, "name", texts)
      set(step, "owner", things)
    }
    for stamp in stamps {
      set(stamp, "name", texts)
      if let thing = things.randomElement(using: &random) {
        thing.mutableSetValue(forKey: "stamps").add(stamp)
      }
    }
    return things
  }
}
