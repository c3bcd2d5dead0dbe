/// 32 bytes that tell whether two versions of a description have the same structure.
///
/// Of what Apple names: of an entity its name, parent, whether it is abstract, and its stored properties; of a property
/// its name, whether it is optional, and its type, or its destination, counts, rule and inverse. Not of classes, user
/// info, defaults and rules. Apple's own hash is computed in another way, which is not documented.
enum VersionHash {
  static func of(_ entity: NSEntityDescription) -> Data { bytes(of: text(entity)) }

  static func of(_ property: NSPropertyDescription) -> Data { bytes(of: text(property)) }

  private static func text(_ entity: NSEntityDescription) -> String {
    var parts = ["entity", entity.name ?? "", entity.superentity?.name ?? "", "\(entity.isAbstract)"]
    parts.append(entity.versionHashModifier ?? "")
    let stored = entity.properties.filter { !$0.isTransient && !($0 is NSFetchedPropertyDescription) }
    parts += stored.sorted { $0.name < $1.name }.map(text)
    return joined(parts)
  }

  private static func text(_ property: NSPropertyDescription) -> String {
    var parts = [
      property.name, "\(property.isOptional)", "\(property.isTransient)", property.versionHashModifier ?? "",
    ]
    switch property {
    case let relationship as NSRelationshipDescription:
      parts += [
        relationship.destinationEntity?.name ?? "", "\(relationship.minCount)", "\(relationship.maxCount)",
        "\(relationship.deleteRule.rawValue)", "\(relationship.isOrdered)",
        relationship.inverseRelationship?.name ?? "",
      ]
    case let composite as NSCompositeAttributeDescription:
      parts.append(joined(composite.elements.map(text)))
    case let attribute as NSAttributeDescription:
      parts.append("\(attribute.attributeType.rawValue)")
      if let derived = attribute as? NSDerivedAttributeDescription {
        parts.append(derived.derivationExpression?.description ?? "")
      }
    default: break
    }
    return joined(parts)
  }

  /// The parts with their lengths, so that no two lists make one text.
  private static func joined(_ parts: [String]) -> String { parts.map { "\($0.utf8.count):\($0)" }.joined() }

  /// Four hashes of 64 bits.
  static func bytes(of text: String) -> Data {
    Data((0..<4).flatMap { lane in withUnsafeBytes(of: fnv(text, lane: UInt64(lane)).bigEndian) { Array($0) } })
  }

  /// FNV-1a, 64 bits; the lane makes four of them independent enough for a fingerprint.
  private static func fnv(_ text: String, lane: UInt64) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ (lane &* 0x9E37_79B9_7F4A_7C15)
    for byte in text.utf8 {
      hash ^= UInt64(byte)
      hash = hash &* 0x0000_0100_0000_01B3
    }
    return hash
  }
}
