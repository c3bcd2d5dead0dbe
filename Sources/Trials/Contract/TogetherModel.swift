import Cells
import CoreData

/// Owners with two or more properties of each kind, the names of which mix the kinds.
enum TogetherModel {
  static let entities = ["Owner", "Peer"]
  static let attributes = ["alpha", "level", "since", "zeta"]
  static let keys =
    attributes + ["group", "lone", "pair", "boxes", "tags", "wheels", "axes", "list", "steps", "visits"]
  // Not changed after it was made.
  nonisolated(unsafe) static let shared = make()

  static func relationship(_ key: String) -> NSRelationshipDescription? {
    shared.entitiesByName["Owner"]?.relationshipsByName[key]
  }

  private static func make() -> NSManagedObjectModel {
    let (owner, peer) = (ModelParts.entity("Owner"), ModelParts.entity("Peer"))
    let types: [String: NSAttributeType] = ["level": .integer32AttributeType, "since": .dateAttributeType]
    for name in attributes {
      owner.properties.append(ModelParts.attribute(name, types[name] ?? .stringAttributeType, isOptional: true))
    }
    owner.properties += [ModelParts.one("lone", peer), ModelParts.many("visits", peer, .nullifyDeleteRule)]
    ModelParts.connect(
      ModelParts.one("group", peer), of: owner, ModelParts.many("groupOf", owner, .nullifyDeleteRule), of: peer)
    ModelParts.connect(ModelParts.one("pair", peer), of: owner, ModelParts.one("pairOf", owner), of: peer)
    for name in ["boxes", "wheels", "axes", "list"] {
      let members = ModelParts.many(name, peer, .nullifyDeleteRule)
      members.isOrdered = name == "axes" || name == "list"
      ModelParts.connect(members, of: owner, ModelParts.one("\(name)Of", owner), of: peer)
    }
    for name in ["tags", "steps"] {
      let members = ModelParts.many(name, peer, .nullifyDeleteRule)
      members.isOrdered = name == "steps"
      ModelParts.connect(members, of: owner, ModelParts.many("\(name)Of", owner, .nullifyDeleteRule), of: peer)
    }
    let model = NSManagedObjectModel()
    precondition(Set(owner.properties.map(\.name)).isSuperset(of: keys), "each key is that of a property of owners")
    model.entities = [owner, peer]
    return model
  }
}

/// Another value for a property, or other members.
struct TogetherChange {
  let owner: Int
  let key: String
  var value: Any?
  var members: [Int]?

  var text: String { members.map { "\($0)" } ?? RulePicture.text(value) }
  var words: String { "\(key) of \(owner) = \(text)" }
}

/// The properties of owners, each with peers of its own.
struct TogetherState {
  private(set) var peers: [Int: [Int]] = [:]
  private var values: [Int: [String: String]] = [:]

  var owners: [Int] { peers.keys.sorted() }

  mutating func insert(_ owner: Int, _ peers: [Int]) {
    precondition(!peers.isEmpty, "an owner leads to some of its peers")
    precondition(self.peers[owner] == nil, "each owner has a number of its own")
    self.peers[owner] = peers
    for key in TogetherModel.keys {
      values[owner, default: [:]][key] = TogetherModel.relationship(key) == nil ? "null" : "[]"
    }
  }

  func text(_ key: String, of owner: Int) -> String { values[owner]?[key] ?? "null" }

  mutating func record(_ changes: [TogetherChange]) {
    for change in changes { values[change.owner]?[change.key] = change.text }
  }

  /// Owners and peers, both sides of each relationship.
  var picture: RulePicture {
    var objects: [Int: [String: String]] = [:]
    for (owner, peers) in peers {
      var texts = values[owner] ?? [:]
      (texts["entity"], texts[RuleModel.number]) = ("Owner", "\(owner)")
      objects[owner] = texts
      for peer in peers {
        var texts = ["entity": "Peer", RuleModel.number: "\(peer)"]
        for key in TogetherModel.keys {
          guard let inverse = TogetherModel.relationship(key)?.inverseRelationship else { continue }
          texts[inverse.name] = RulePicture.numbers(text(key, of: owner)).contains(peer) ? "[\(owner)]" : "[]"
        }
        objects[peer] = texts
      }
    }
    return RulePicture(objects)
  }
}
