import RowStore

/// The objects of a keyed archive of a model, looked at as fields; none of the classes that the archive names is made.
struct ModelArchive {
  /// Why something cannot be read.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  typealias Value = BinaryPropertyList.Value

  /// One object of the archive.
  struct Object {
    /// Its place in the archive: two references to one object have the same.
    let index: Int
    let className: String
    fileprivate let fields: [String: Value]

    subscript(_ field: String) -> Value? { fields[field] }
  }

  /// Bytes; compiled models have some ten thousands.
  static let sizeMax = 16 << 20

  private let objects: [Value]
  private let top: Value

  /// - Throws: `Failure` for bytes that are no keyed archive.
  init(_ data: Data) throws {
    guard data.count <= Self.sizeMax else {
      throw Failure(description: "has \(data.count) bytes; a compiled model may have \(Self.sizeMax)")
    }
    guard let list = try? BinaryPropertyList.read(data), case .dictionary(let archive) = list,
      case .array(let objects)? = archive["$objects"], case .dictionary(let top)? = archive["$top"],
      let root = top["root"]
    else { throw Failure(description: "is no keyed archive, or a broken one") }
    self.objects = objects
    self.top = root
  }

  /// The archived object.
  func root() throws -> Object {
    guard let object = try object(top) else { throw Failure(description: "is an archive of nothing") }
    return object
  }

  /// The object behind a reference; nil for none and for the archive's null.
  func object(_ value: Value?) throws -> Object? {
    guard case .uid(let index)? = value else { return nil }
    guard objects.indices.contains(index) else { throw Failure(description: "refers to an object that is not there") }
    guard case .dictionary(let fields) = objects[index] else { return nil }
    guard case .uid(let type)? = fields["$class"], objects.indices.contains(type),
      case .dictionary(let described) = objects[type], case .string(let name)? = described["$classname"]
    else { throw Failure(description: "has an object without a class") }
    return Object(index: index, className: name, fields: fields)
  }

  /// The value that a reference leads to, where that is no object with fields.
  private func plain(_ value: Value?) -> Value? {
    guard case .uid(let index)? = value else { return value }
    return objects.indices.contains(index) ? objects[index] : nil
  }

  /// A text; nil for none, and for a value that is no text.
  func text(_ value: Value?) throws -> String? {
    if case .string(let text)? = plain(value) {
      if case .uid? = value, text == "$null" { return nil }
      return text
    }
    guard let object = try object(value), ["NSString", "NSMutableString"].contains(object.className) else { return nil }
    return try text(object["NS.string"])
  }

  /// A number; 0 for none.
  func number(_ value: Value?) -> Int64 {
    switch plain(value) {
    case .integer(let number): number
    case .bool(let flag): flag ? 1 : 0
    case .real(let number): Int64(exactly: number) ?? 0
    default: 0
    }
  }

  func flag(_ value: Value?) -> Bool { number(value) != 0 }

  /// The members of an array or a set.
  func list(_ value: Value?) throws -> [Value] {
    guard let object = try object(value) else { return [] }
    guard case .array(let members)? = object["NS.objects"] else {
      throw Failure(description: "has a \(object.className) where a list was expected")
    }
    return members
  }

  /// The pairs of a dictionary with texts as keys.
  func dictionary(_ value: Value?) throws -> [(key: String, value: Value)] {
    guard let object = try object(value) else { return [] }
    var keys: [Value] = []
    var values: [Value] = []
    if object.className.hasPrefix("NSKnownKeysDictionary") {
      // Models that were in use when they were archived have this class of Apple's.
      keys = try list(try self.object(object["searchMapping"])?["keys"])
      values = try list(object["values"])
    } else if case .array(let all)? = object["NS.keys"], case .array(let members)? = object["NS.objects"] {
      (keys, values) = (all, members)
    } else {
      throw Failure(description: "has a \(object.className) where a dictionary was expected")
    }
    guard keys.count == values.count else { throw Failure(description: "has a dictionary with a key too many") }
    return try zip(keys, values).map { key, value in
      guard let name = try text(key) else { throw Failure(description: "has a dictionary with a key that is no text") }
      return (name, value)
    }
  }

  /// A value of Foundation's; nil for the archive's null.
  ///
  /// - Throws: for objects of any other class.
  func foundationValue(_ value: Value?) throws -> Any? {
    guard let value else { return nil }
    do {
      return try KeyedArchive.value(value, in: objects)
    } catch {
      throw Failure(description: "\(error)")
    }
  }
}
