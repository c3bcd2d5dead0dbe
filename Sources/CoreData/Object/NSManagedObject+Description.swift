import Foundation
import RowStore

// How an object prints itself; nothing is read from the store for it, and no object made.

extension NSManagedObject {
  /// The class, the ID and the values by name.
  ///
  /// Values are shown on the context's queue only: elsewhere another thread may be changing them.
  final var descriptionText: String {
    let address = String(UInt(bitPattern: ObjectIdentifier(self)), radix: 16)
    return "<\(type(of: self)): 0x\(address)> (entity: \(layout.name); id: \(objectID); data: \(valuesText))"
  }

  private final var valuesText: String {
    if let context = registry?.context, !context.queue.isHeld { return "<another queue's>" }
    guard let values else { return "<fault>" }
    let lines = layout.properties.sorted { $0.name < $1.name }.map { property in
      switch property.kind {
      case .attribute(let type):
        "\(property.name) = \(values[property.index].value(as: type).map(Self.quoted) ?? "nil")"
      case .toOne: "\(property.name) = \(targetID(property).map(Self.quoted) ?? "nil")"
      case .toMany:
        if let members = knownToMany(property)?.members {
          "\(property.name) = (\(members.objects.map { Self.quoted($0.objectID) }.joined(separator: ", ")))"
        } else {
          "\(property.name) = <relationship fault>"
        }
      }
    }
    return "{\n" + lines.map { "    \($0);\n" }.joined() + "}"
  }

  /// The ID of the object that a to-one relationship leads to, as far as this object tells.
  private final func targetID(_ property: PropertyLayout) -> NSManagedObjectID? {
    let (position, destination) = (property.relation.position, property.relation.destination)
    if position < relations.count, case .one(let object) = relations[position] { return object.objectID }
    guard let reference = reference(at: property.index), let registry else { return nil }
    return NSManagedObjectID(
      key: reference.key, layout: destination.model.entity(number: Int(reference.entity)) ?? destination,
      store: registry.identities.identity(of: reference.key), model: registry.model)
  }

  /// A value as property lists in text have it: letters and digits as they are, all else in quotes.
  private static func quoted(_ value: Any) -> String {
    let text = "\(value)"
    let isPlain = text.unicodeScalars.allSatisfy {
      $0.isASCII && $0.properties.isAlphabetic || ("0"..."9").contains($0)
    }
    return isPlain && !text.isEmpty ? text : "\"\(text)\""
  }
}
