import Checking
import CoreData

/// The possible files after a save that met changes of others, by its merge policy.
struct AnythingOutcome {
  let policy: NSMergePolicyType
  let base: ObjectGraph
  let mine: ObjectGraph
  let theirs: ObjectGraph
  let seen: ObjectGraph
  /// Whether the row of an object is newer than the context's.
  let isConflict: (Int) -> Bool

  /// Looks at the attributes of the objects that the context changed.
  ///
  /// Relationships are several objects' affair, each with a decision of its own: they are checked as a whole, not here.
  func check(_ report: (ViolationKind, String, String) throws -> Void) throws {
    for (name, node) in mine.nodes.sorted(by: { $0.key < $1.key }) {
      guard let before = base.nodes[name] else {
        if seen.nodes[name] == nil { try report(.lostRecord, "inserted \(name)", "no row") }
        continue
      }
      let changed = mine.model.entity(node.entity).attributes.filter { node.values[$0] != before.values[$0] }
      guard !changed.isEmpty, let other = theirs.nodes[name], let result = seen.nodes[name] else { continue }
      if policy == .errorMergePolicyType, isConflict(name) {
        try report(.lostUpdate, "refused with 133020: \(name) has a newer row", "saved")
      }
      for attribute in mine.model.entity(node.entity).attributes where FilePicture.shows(attribute, mine.model) {
        let expected = value(attribute, of: name, node, before, other)
        guard expected != result.values[attribute] else { continue }
        try report(
          .wrongWinner, "\(attribute) of \(name) is \(ObjectGraph.text(expected)) by the merge policy",
          ObjectGraph.text(result.values[attribute]))
      }
    }
  }

  private func value(
    _ attribute: String, of name: Int, _ mine: ObjectGraph.Node, _ before: ObjectGraph.Node, _ theirs: ObjectGraph.Node
  ) -> String? {
    let (own, old, other) = (mine.values[attribute], before.values[attribute], theirs.values[attribute])
    guard isConflict(name) else { return own != old ? own : other }
    return switch policy {
    case .mergeByPropertyStoreTrumpMergePolicyType: other != old ? other : own
    case .overwriteMergePolicyType: own
    case .rollbackMergePolicyType: other
    default: own != old ? own : other
    }
  }
}
