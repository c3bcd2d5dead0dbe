@testable import CoreData

extension Driver {
  /// Has another process make the change, and notes the rows that it reports as saved.
  func carryOutElsewhere(_ errand: Operation) throws -> ReferenceModel.Answer {
    let answer = try worker().carryOut(try command(errand)).split(separator: " ").map(String.init)
    switch answer.first {
    case "unchanged": return .code(nil)
    case "failed": return .code(Int(answer[1]))
    default: break
    }
    var changes: [AnyHashable: Any] = [:]
    for (sign, key) in [
      ("+", NSInsertedObjectIDsKey), ("=", NSUpdatedObjectIDsKey), ("-", NSDeletedObjectIDsKey),
    ] {
      // In one order in each run.
      let listed = answer.dropFirst().filter { $0.hasPrefix(sign) }.sorted()
      let uris = listed.compactMap { URL(string: String($0.dropFirst())) }
      if !uris.isEmpty { changes[key] = uris }
      guard sign == "+", case .insert(_, _, let name) = errand else { continue }
      for uri in uris {
        guard let id = stacks[0].container.persistentStoreCoordinator.managedObjectID(forURIRepresentation: uri) else {
          throw Difference("no ID for \(uri)")
        }
        learn(id, name)
      }
    }
    remember(Notification(name: .NSManagedObjectContextDidSave, object: nil, userInfo: changes))
    return .code(nil)
  }

  private func command(_ errand: Operation) throws -> String {
    func uri(_ name: Int) throws -> String {
      guard let id = ids[name] else { throw Difference("no ID of #\(name)") }
      return "\(id.uriRepresentation())"
    }
    func changed(_ name: Int, _ property: Int) throws -> String {
      "\(try uri(name)) \(ids[name]?.layout.properties[property].name ?? "")"
    }
    switch errand {
    case .insert(_, let entity, _): return "insert \(AtlasSchema.entities[entity].name)"
    case .set(_, let name, let property, let value):
      return "set \(try changed(name, property)) \(value.map(String.init) ?? "nil")"
    case .relate(_, let name, let property, let target):
      return "relate \(try changed(name, property)) \(try target.map(uri) ?? "nil")"
    case .add(_, let name, let property, let member):
      return "add \(try changed(name, property)) \(try uri(member))"
    case .remove(_, let name, let property, let member):
      return "remove \(try changed(name, property)) \(try uri(member))"
    case .delete(_, let name): return "delete \(try uri(name))"
    default: throw Difference("no other process can \(errand)")
    }
  }
}
