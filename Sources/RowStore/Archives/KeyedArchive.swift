import Foundation

/// Keyed archives of Foundation's values, as transformable attributes lie in a file.
///
/// Reading gives Swift's values (`[Any]`, `[String: Any]`, `String`, `Date`, …), and never trusts the bytes. Objects of
/// other classes are given to Foundation's unarchiver where the process has their class.
package enum KeyedArchive {
  /// Why there is no value, or no archive.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// How deeply values may be nested.
  private static let depthMax = 128

  // MARK: Writing

  /// The archive of a value: the same bytes for equal values.
  ///
  /// - Throws: `Failure` that names the class which cannot be archived.
  package static func encode(_ value: Any) throws -> Data {
    let root = try foundation(value, depth: 0)
    do {
      let data = try NSKeyedArchiver.archivedData(withRootObject: root, requiringSecureCoding: false)
      return ArchiveOrder.sorted(data) ?? data
    } catch {
      throw Failure(description: "a value of \(type(of: value)) cannot be archived: \(error)")
    }
  }

  /// Whether two values are the same as the objects that would be archived.
  package static func areEqual(_ one: Any, _ other: Any) -> Bool {
    guard let one = try? foundation(one, depth: 0), let other = try? foundation(other, depth: 0) else { return false }
    return one.isEqual(other)
  }

  /// The value as objects that the archiver takes.
  private static func foundation(_ value: Any, depth: Int) throws -> NSObject {
    guard depth < depthMax else { throw Failure(description: "a value is nested too deeply to be archived") }
    switch value {
    case let value as String: return NSString(string: value)
    case let value as NSNumber: return value
    case let value as Bool: return NSNumber(value: value)
    case let value as Double: return NSNumber(value: value)
    case let value as Float: return NSNumber(value: value)
    case let value as any BinaryInteger:
      guard let number = Int64(exactly: value) else {
        throw Failure(description: "the number \(value) does not fit into 64 bits")
      }
      return NSNumber(value: number)
    case let value as Date: return NSDate(timeIntervalSinceReferenceDate: value.timeIntervalSinceReferenceDate)
    case let value as Data: return NSData(data: value)
    case let value as UUID: return NSUUID(uuidString: value.uuidString) ?? NSUUID()
    case let value as URL: return NSURL(string: value.absoluteString) ?? NSURL(fileURLWithPath: value.path)
    case let value as [Any]: return NSArray(array: try value.map { try foundation($0, depth: depth + 1) })
    case let value as [AnyHashable: Any]: return try dictionary(value.map { ($0.base, $1) }, depth)
    case let value as Set<AnyHashable>:
      return NSSet(array: try value.map { try foundation($0.base, depth: depth + 1) })
    case let value as NSArray: return NSArray(array: try value.map { try foundation($0, depth: depth + 1) })
    case let value as NSSet: return NSSet(array: try value.map { try foundation($0, depth: depth + 1) })
    case let value as NSDictionary: return try dictionary(value.map { ($0.key, $0.value) }, depth)
    case let value as NSObject where value is any NSCoding: return value
    default:
      throw Failure(
        description: "a value of \(type(of: value)) cannot be archived; it needs NSCoding, or a value transformer")
    }
  }

  private static func dictionary(_ members: [(key: Any, value: Any)], _ depth: Int) throws -> NSObject {
    NSDictionary(
      objects: try members.map { try foundation($0.value, depth: depth + 1) },
      forKeys: try members.map { try foundation($0.key, depth: depth + 1) })
  }

  // MARK: Reading

  /// Foundation's values and collections of them.
  package static var plainClasses: [AnyClass] {
    [
      NSArray.self, NSDictionary.self, NSSet.self, NSString.self, NSNumber.self, NSDate.self, NSData.self, NSURL.self,
      NSUUID.self, NSNull.self,
    ]
  }

  /// The value of an archive.
  ///
  /// - Parameter classes: the classes that objects may be of besides those of Foundation's values; nil for any.
  /// - Throws: `Failure` that names the damage, or the class that the process does not have.
  package static func decode(_ data: Data, allowing classes: [AnyClass]? = nil) throws -> Any {
    guard let list = try? BinaryPropertyList.read(data), case .dictionary(let archive) = list,
      case .array(let objects)? = archive["$objects"], case .dictionary(let top)? = archive["$top"],
      let root = top["root"] ?? top["$0"] ?? (top.count == 1 ? top.values.first : nil)
    else { throw Failure(description: "\(data.count) bytes are no keyed archive") }
    var decoder = Decoder(objects: objects)
    do {
      guard let value = try decoder.value(root, depth: 0) else { throw Failure(description: "a keyed archive of nil") }
      return value
    } catch let unknown as Decoder.UnknownClass {
      guard let type = NSClassFromString(unknown.name), type is any NSCoding.Type else {
        throw Failure(
          description: "a keyed archive holds an object of \(unknown.name), which this process does not have")
      }
      let allowed = (classes ?? []) + [type] + plainClasses
      do {
        if let value = try NSKeyedUnarchiver.unarchivedObject(ofClasses: allowed, from: data) { return value }
      } catch {
        throw Failure(description: "a keyed archive of \(unknown.name) cannot be read: \(error)")
      }
      throw Failure(description: "a keyed archive of \(unknown.name) cannot be read")
    }
  }

  /// A value within an archive, which is Foundation's or made of such; nil for the archive's null.
  ///
  /// - Throws: also for objects of any other class, whether the process has it or not.
  package static func value(_ value: BinaryPropertyList.Value, in objects: [BinaryPropertyList.Value]) throws -> Any? {
    var decoder = Decoder(objects: objects)
    do {
      return try decoder.value(value, depth: 0)
    } catch let unknown as Decoder.UnknownClass {
      throw Failure(description: "a keyed archive holds an object of \(unknown.name)")
    }
  }

  /// Follows the references of one archive.
  private struct Decoder {
    package struct UnknownClass: Error {
      package let name: String
    }

    package let objects: [BinaryPropertyList.Value]
    private var known: [Int: Any] = [:]
    private var open: Set<Int> = []

    package init(objects: [BinaryPropertyList.Value]) { self.objects = objects }

    private func broken() -> Failure { Failure(description: "a keyed archive is broken") }

    /// The value; nil for the archive's null.
    package mutating func value(_ value: BinaryPropertyList.Value, depth: Int) throws -> Any? {
      guard depth < depthMax else { throw broken() }
      switch value {
      case .null: return nil
      case .bool(let value): return NSNumber(value: value)
      case .integer(let value): return NSNumber(value: value)
      case .real(let value): return NSNumber(value: value)
      case .date(let seconds): return Date(timeIntervalSinceReferenceDate: seconds)
      case .data(let data): return data
      case .string(let text): return text
      case .array(let members): return try members.compactMap { try self.value($0, depth: depth + 1) }
      case .uid(let index):
        guard objects.indices.contains(index) else { throw broken() }
        if case .string("$null") = objects[index] { return nil }
        if let value = known[index] { return value }
        guard open.insert(index).inserted else { throw broken() }
        defer { open.remove(index) }
        let result = try self.value(objects[index], depth: depth + 1)
        if let result { known[index] = result }
        return result
      case .dictionary(let fields): return try object(fields, depth: depth)
      }
    }

    private mutating func object(_ fields: [String: BinaryPropertyList.Value], depth: Int) throws -> Any {
      guard case .uid(let index)? = fields["$class"], objects.indices.contains(index),
        case .dictionary(let type) = objects[index], case .string(let name)? = type["$classname"]
      else { throw broken() }
      switch name {
      case "NSArray", "NSMutableArray": return try members(fields["NS.objects"], depth)
      case "NSSet", "NSMutableSet": return NSSet(array: try members(fields["NS.objects"], depth))
      case "NSOrderedSet", "NSMutableOrderedSet":
        var members: [Any] = []
        while let next = fields["NS.object.\(members.count)"] {
          guard let member = try value(next, depth: depth + 1) else { throw broken() }
          members.append(member)
        }
        return NSOrderedSet(array: members.isEmpty ? try self.members(fields["NS.objects"], depth) : members)
      case "NSDictionary", "NSMutableDictionary":
        let keys = try members(fields["NS.keys"], depth)
        let values = try members(fields["NS.objects"], depth)
        guard keys.count == values.count else { throw broken() }
        if let names = keys as? [String] { return Dictionary(zip(names, values)) { first, _ in first } }
        guard let keys = keys as? [any Hashable] else { throw broken() }
        return Dictionary(zip(keys.map { AnyHashable($0) }, values)) { first, _ in first }
      case "NSDate":
        guard let time = try field("NS.time", fields, depth) as? NSNumber else { throw broken() }
        return Date(timeIntervalSinceReferenceDate: time.doubleValue)
      case "NSData", "NSMutableData":
        guard let data = try field("NS.data", fields, depth) as? Data else { throw broken() }
        return data
      case "NSString", "NSMutableString":
        if let text = try field("NS.string", fields, depth) as? String { return text }
        guard let data = try field("NS.bytes", fields, depth) as? Data else { throw broken() }
        return String(decoding: data, as: UTF8.self)
      case "NSUUID":
        guard let data = try field("NS.uuidbytes", fields, depth) as? Data, data.count == 16 else { throw broken() }
        return data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
      case "NSURL":
        let base = try field("NS.base", fields, depth) as? URL
        guard let text = try field("NS.relative", fields, depth) as? String,
          let url = URL(string: text, relativeTo: base)
        else { throw broken() }
        return url
      case "NSNull": return NSNull()
      case "NSDecimalNumber", "NSDecimalNumberPlaceholder": return try decimal(fields, depth)
      default: throw UnknownClass(name: name)
      }
    }

    /// Words of 16 bits, the lowest first, each with its lowest byte first where the byte order is 1.
    private mutating func decimal(_ fields: [String: BinaryPropertyList.Value], _ depth: Int) throws -> Any {
      guard case .data(let mantissa)? = fields["NS.mantissa"], mantissa.count == 16,
        case .integer(let exponent)? = fields["NS.exponent"], (-128...127).contains(exponent),
        case .integer(let order)? = fields["NS.mantissa.bo"], case .bool(let isNegative)? = fields["NS.negative"]
      else { throw broken() }
      let bytes = Array(mantissa)
      var significand = Decimal(0)
      for word in stride(from: 14, through: 0, by: -2) {
        let (low, high) = order == 1 ? (bytes[word], bytes[word + 1]) : (bytes[word + 1], bytes[word])
        significand = significand * 65_536 + Decimal(Int(high) << 8 | Int(low))
      }
      return NSDecimalNumber(
        decimal: Decimal(sign: isNegative ? .minus : .plus, exponent: Int(exponent), significand: significand))
    }

    private mutating func field(
      _ name: String, _ fields: [String: BinaryPropertyList.Value], _ depth: Int
    ) throws -> Any? {
      try fields[name].flatMap { try value($0, depth: depth + 1) }
    }

    private mutating func members(_ value: BinaryPropertyList.Value?, _ depth: Int) throws -> [Any] {
      guard case .array(let members)? = value else { throw broken() }
      return try members.map { member in
        guard let value = try self.value(member, depth: depth + 1) else { throw broken() }
        return value
      }
    }
  }
}
