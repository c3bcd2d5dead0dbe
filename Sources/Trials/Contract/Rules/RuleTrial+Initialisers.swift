import Cells
import Checking
import CoreData

// S2.3, S2.10: a class with stored properties, of which the initialiser sets attributes, sets those of new objects alone; and a context
// that is given up while an object is filled leaves the object its values.

extension RuleTrial {
  /// Objects are made, saved and found again, in a context and in its child.
  func initialise() throws {
    let coordinator = try open(InitialisedModel.shared, at: newURL())
    let (writer, root) = (context(coordinator), context(coordinator))
    var texts: [Int: String] = [:]
    try writer.performAndWait {
      for _ in 0..<4 {
        let object = insertNumbered("Made", writer)
        try require(
          object.value(forKey: "remark") as? String, "initial", .wrongValue, "what the initialiser of a new object set")
        let text = pick(["initial", "alpha", "", "Z"]) ?? "Z"
        object.setValue(text, forKey: "remark")
        texts[RulePicture.number(object)] = text
      }
      try save(writer)
    }
    precondition(texts.count == 4, "each object has a number of its own")
    let ids = try writer.performAndWait { try all("Made", writer).map(\.objectID) }
    for place in [root, context(in: root)] {
      try place.performAndWait {
        for id in shuffled(ids) {
          let object =
            switch draw(3) {
            case 0: place.object(with: id)
            case 1: try place.existingObject(with: id)
            default:
              try place.fetch(NSFetchRequest<NSManagedObject>(entityName: "Made")).first { $0.objectID == id }
                ?? place.object(with: id)
            }
          let number = RulePicture.number(object)
          try require(
            [object.value(forKey: "remark") as? String, "\(object.hasChanges)", "\(place.hasChanges)"],
            [texts[number], "false", "false"], .wrongValue,
            "the remark and the changes of an object of a row, of which the class has an initialiser")
          guard chance(1, of: 2) else { continue }
          let text = "changed \(newNumber())"
          note("remark of \(number) = \(text)")
          object.setValue(text, forKey: "remark")
          texts[number] = text
          for level in [place, place.parent].compactMap({ $0 }) { try level.performAndWait { try save(level) } }
        }
      }
    }
    let fresh = freshContext(coordinator)
    let seen = try fresh.performAndWait {
      try all("Made", fresh).map { "\(RulePicture.number($0)) \(RulePicture.text($0.value(forKey: "remark")))" }
    }
    try require(
      seen, texts.sorted { $0.key < $1.key }.map { "\($0.key) \(RulePicture.text($0.value))" }, .unpersistedSave,
      "the remarks in the file of objects of a class with an initialiser")
  }

  /// The last reference to a context is released by the hook of an object that it fills.
  func giveUpWhileFilling() throws {
    let coordinator = try open(InitialisedModel.shared, at: newURL())
    let writer = context(coordinator)
    let (id, text): (NSManagedObjectID, String) = try writer.performAndWait {
      let (object, text) = (insertNumbered("Made", writer), "saved \(newNumber())")
      object.setValue(text, forKey: "remark")
      try save(writer)
      return (object.objectID, text)
    }
    // Used outside blocks, which would keep it.
    var held: NSManagedObjectContext? = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
    held?.persistentStoreCoordinator = coordinator
    guard let object = held?.object(with: id) as? InitialisedObject else { return }
    object.onAwakeFromFetch = { held = nil }
    note("awakeFromFetch gives the context up")
    try require(
      object.value(forKey: "remark") as? String, text, .wrongValue,
      "a value of an object of which the context was given up meanwhile")
    try require(
      [held == nil, object.managedObjectContext == nil], [true, true], .wrongValue, "whether the context is gone")
  }
}

/// Sets an attribute in its initialiser, and has a property of its own.
final class InitialisedObject: NSManagedObject {
  var onAwakeFromFetch: (() -> Void)?

  override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    super.init(entity: entity, insertInto: context)
    setValue("initial", forKey: "remark")
  }

  override func awakeFromFetch() {
    super.awakeFromFetch()
    onAwakeFromFetch?()
  }
}

private enum InitialisedModel {
  // Not changed after it was made.
  nonisolated(unsafe) static let shared = make()

  private static func make() -> NSManagedObjectModel {
    let entity = ModelParts.entity("Made")
    entity.managedObjectClassName = _typeName(InitialisedObject.self)
    entity.properties.append(ModelParts.attribute("remark", .stringAttributeType, isOptional: true))
    let model = NSManagedObjectModel()
    model.entities = [entity]
    precondition(entity.attributesByName.count > 1, "an attribute beside the number is set")
    return model
  }
}
