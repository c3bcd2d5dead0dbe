import Foundation

/// Gives the objects of a keyed archive one order, so that equal values have equal bytes in every process.
///
/// The archiver takes dictionaries and sets in the order of this process's hashes, and an object that is used twice once or twice.
struct ArchiveOrder {
  private typealias Value = BinaryPropertyList.Value

  /// Classes of values: two equal ones may be one object.
  private static let plain: Set<String> = [
    "NSArray", "NSData", "NSDate", "NSDecimalNumber", "NSDecimalNumberPlaceholder", "NSDictionary", "NSNull",
    "NSOrderedSet",
    "NSSet", "NSString", "NSURL", "NSUUID",
  ]

  private let objects: [Value]
  private var digests: [Int: [UInt8]] = [:]
  private var open: Set<Int> = []
  private var places: [Int: Int] = [:]
  private var plainPlaces: [[UInt8]: Int] = [:]
  private var sorted: [Value] = []

  /// The archive with its objects in order; nil for data that is no archive.
  static func sorted(_ data: Data) -> Data? {
    guard let list = try? BinaryPropertyList.read(data), case .dictionary(var archive) = list,
      case .array(let objects)? = archive["$objects"], case .dictionary(let top)? = archive["$top"]
    else { return nil }
    var order = ArchiveOrder(objects: objects)
    order.sorted = Array(objects.prefix(1))
    order.places[0] = 0
    archive["$top"] = .dictionary(order.moved(top))
    precondition(order.sorted.count <= objects.count, "an object has one place at most")
    archive["$objects"] = .array(order.sorted)
    return Data(BinaryPropertyList.write(.dictionary(archive)))
  }

  private init(objects: [Value]) { self.objects = objects }

  // MARK: Contents

  /// A hash of the object at an index, the order of dictionaries and sets aside.
  private mutating func digest(_ index: Int) -> [UInt8] {
    if let known = digests[index] { return known }
    // An object that is within itself is of a class that makes its own order.
    guard objects.indices.contains(index), open.insert(index).inserted else { return [] }
    defer { open.remove(index) }
    let digest = SHA2.hash256(bytes(inOrder(objects[index])))
    digests[index] = digest
    return digest
  }

  private mutating func bytes(_ value: Value) -> [UInt8] {
    switch value {
    case .uid(let index): return [1] + digest(index)
    case .array(let members): return [2] + SHA2.hash256(members.flatMap { bytes($0) })
    case .dictionary(let fields):
      let parts = fields.sorted { $0.key < $1.key }.flatMap { bytes(.string($0.key)) + bytes($0.value) }
      return [3] + SHA2.hash256(parts)
    default: return [4] + SHA2.hash256(BinaryPropertyList.write(value))
    }
  }

  /// A dictionary with its keys in order, or a set with its members; anything else as it is.
  private mutating func inOrder(_ value: Value) -> Value {
    guard case .dictionary(var fields) = value, case .array(let members)? = fields["NS.objects"] else { return value }
    if case .array(let keys)? = fields["NS.keys"], keys.count == members.count {
      let pairs = zip(keys, members).map { (key: $0, member: $1, order: bytes($0)) }
        .sorted { $0.order.lexicographicallyPrecedes($1.order) }
      fields["NS.keys"] = .array(pairs.map(\.key))
      fields["NS.objects"] = .array(pairs.map(\.member))
    } else if ["NSSet", "NSMutableSet"].contains(className(fields)) {
      let pairs = members.map { (member: $0, order: bytes($0)) }.sorted { $0.order.lexicographicallyPrecedes($1.order) }
      fields["NS.objects"] = .array(pairs.map(\.member))
    }
    return .dictionary(fields)
  }

  private func className(_ fields: [String: Value]) -> String {
    guard case .uid(let index)? = fields["$class"], objects.indices.contains(index),
      case .dictionary(let type) = objects[index], case .string(let name)? = type["$classname"]
    else { return "" }
    return name
  }

  // MARK: Places

  /// The place of an object in the new order; given to it, and to those that it refers to, when it is first met.
  private mutating func place(_ index: Int) -> Int {
    if let known = places[index] { return known }
    guard objects.indices.contains(index) else { return 0 }
    let isPlain: Bool =
      if case .dictionary(let fields) = objects[index] {
        fields["$classname"] != nil || Self.plain.contains(className(fields))
      } else {
        true
      }
    let digest = digest(index)
    if isPlain, let known = plainPlaces[digest] { return known }
    let place = sorted.count
    places[index] = place
    if isPlain { plainPlaces[digest] = place }
    sorted.append(.null)
    sorted[place] = moved(inOrder(objects[index]))
    return place
  }

  /// The value with its references moved.
  private mutating func moved(_ value: Value) -> Value {
    switch value {
    case .uid(let index): .uid(place(index))
    case .array(let members): .array(members.map { moved($0) })
    case .dictionary(let fields): .dictionary(moved(fields))
    default: value
    }
  }

  private mutating func moved(_ fields: [String: Value]) -> [String: Value] {
    var result: [String: Value] = [:]
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) { result[name] = moved(value) }
    return result
  }
}
