import RowStore

/// 32 bytes that tell whether two versions of a description have the same structure, as Apple's tools compute them.
///
/// Apple says which inputs a hash has, not how it is made of them; this was found by comparing models with the hashes of
/// stores and of compiled models. SHA-256 over names in UTF-8 and numbers with the lowest byte first:
/// - property: name, 16 bits (1 optional, 2 transient), modifier
/// - attribute: property's hash, 32 bits of its type, a byte 1 for external storage, a byte 1 when kept after a deletion
/// - derived attribute: the text of its expression
/// - relationship: property's hash, destination's name, inverse's name unless it is the relationship itself, 32 bits each of maximum and minimum, bytes 1 and 0
///   when ordered
/// - entity: name, a byte for abstract, parent's hash, hashes of all stored properties sorted by name, constraints
///   sorted, modifier
///
/// Inputs that no data verifies are excluded by ``isVerified(_:)``.
/// - SeeAlso: DEVIATIONS.md, "Version hashes".
enum VersionHash {
  static func of(_ entity: NSEntityDescription) -> Data { Data(hash(entity)) }

  static func of(_ property: NSPropertyDescription) -> Data { Data(hash(property)) }

  /// Whether every input of an entity's hash is of a kind for which Apple's tools are known to make the same hash.
  static func isVerified(_ entity: NSEntityDescription) -> Bool {
    guard entity.versionHashModifier == nil, isASCII(entity.name ?? ""),
      entity.superentity.map(isVerified) ?? true
    else { return false }
    return hashedProperties(entity).allSatisfy(isVerified)
  }

  private static func isVerified(_ property: NSPropertyDescription) -> Bool {
    guard isASCII(property.name) else { return false }
    switch property {
    case let relationship as NSRelationshipDescription: return relationship.versionHashModifier == nil
    case is NSCompositeAttributeDescription: return false
    case let derived as NSDerivedAttributeDescription:
      let text = derivation(derived)
      return text == "now()" || ["canonical:(", "count:("].contains { text.hasPrefix($0) }
    case let attribute as NSAttributeDescription:
      return !(attribute.allowsExternalBinaryDataStorage && attribute.preservesValueInHistoryOnDeletion)
    default: return true
    }
  }

  private static func isASCII(_ name: String) -> Bool { name.utf8.allSatisfy { $0 < 0x80 } }

  // MARK: Entities

  private static func hash(_ entity: NSEntityDescription) -> [UInt8] {
    var input = Array((entity.name ?? "").utf8)
    input.append(entity.isAbstract ? 1 : 0)
    if let parent = entity.superentity { input += hash(parent) }
    for property in hashedProperties(entity) { input += hash(property) }
    let constraints = entity.uniquenessConstraints.map { constraint in
      constraint.map { NSPropertyDescription.keyPath(of: $0) }.joined(separator: ".")
    }
    for names in constraints.sorted() { input += Array(names.utf8) }
    input += Array((entity.versionHashModifier ?? "").utf8)
    return SHA2.hash256(input)
  }

  /// Inherited ones too.
  private static func hashedProperties(_ entity: NSEntityDescription) -> [NSPropertyDescription] {
    entity.properties.filter { !$0.isTransient && !($0 is NSFetchedPropertyDescription) }
      .sorted { $0.name.utf16.lexicographicallyPrecedes($1.name.utf16) }
  }

  // MARK: Properties

  private static func hash(_ property: NSPropertyDescription) -> [UInt8] {
    var input = Array(property.name.utf8)
    input += bytes(UInt16((property.isOptional ? 1 : 0) + (property.isTransient ? 2 : 0)))
    input += Array((property.versionHashModifier ?? "").utf8)
    let base = SHA2.hash256(input)
    switch property {
    case let relationship as NSRelationshipDescription: return SHA2.hash256(base + rest(relationship))
    case let composite as NSCompositeAttributeDescription:
      return SHA2.hash256(base + rest(composite) + composite.elements.flatMap(hash))
    case let derived as NSDerivedAttributeDescription: return SHA2.hash256(Array(derivation(derived).utf8))
    case let attribute as NSAttributeDescription: return SHA2.hash256(base + rest(attribute))
    default: return base
    }
  }

  private static func rest(_ attribute: NSAttributeDescription) -> [UInt8] {
    var input = bytes(UInt32(truncatingIfNeeded: attribute.attributeType.rawValue))
    if attribute.allowsExternalBinaryDataStorage { input.append(1) }
    if attribute.preservesValueInHistoryOnDeletion { input.append(1) }
    return input
  }

  private static func rest(_ relationship: NSRelationshipDescription) -> [UInt8] {
    var input = Array((relationship.destinationEntity?.name ?? "").utf8)
    if let inverse = relationship.inverseRelationship, inverse !== relationship { input += Array(inverse.name.utf8) }
    input += bytes(UInt32(truncatingIfNeeded: relationship.maxCount))
    input += bytes(UInt32(truncatingIfNeeded: relationship.minCount))
    if relationship.isOrdered { input += [1, 0] }
    return input
  }

  private static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }

  /// The expression as Apple's tools print it: functions by their selectors, collection operators as functions.
  private static func derivation(_ derived: NSDerivedAttributeDescription) -> String {
    let text = derived.derivationFormat ?? ""
    guard text.hasSuffix(".@count") else { return text }
    return "count:(\(text.dropLast(".@count".count)))"
  }

}
