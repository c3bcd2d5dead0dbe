import Scheduling
import RowStore

/// How the values of one transformable attribute become data, and data values.
struct AttributeTransformer: ValueCoder {
  /// Why a value cannot be transformed.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// `Entity.attribute`, for messages.
  let label: String
  /// The transformer's name in the model; nil for the default.
  let name: String?

  private static let missing = Locked<Set<String>>([])

  /// The data of a value.
  ///
  /// - Throws: `Failure` that names the attribute and the class of the value.
  func encode(_ value: Any) throws -> Data {
    guard let transformer else {
      do {
        return try KeyedArchive.encode(value)
      } catch {
        throw Failure(description: "\(label): \(error)")
      }
    }
    let result =
      transformer is NSSecureUnarchiveFromDataTransformer
      ? transformer.reverseTransformedValue(value) : transformer.transformedValue(value)
    if let data = result as? Data { return data }
    throw Failure(description: "\(label): the transformer \(name ?? "") made no data of a value of \(type(of: value))")
  }

  /// The value of data.
  ///
  /// - Throws: `Failure` that names the attribute.
  func decode(_ data: Data) throws -> Any {
    guard let transformer else {
      do {
        return try KeyedArchive.decode(data)
      } catch {
        throw Failure(description: "\(label): \(error)")
      }
    }
    let result =
      transformer is NSSecureUnarchiveFromDataTransformer
      ? transformer.transformedValue(data) : transformer.reverseTransformedValue(data)
    if let result { return result }
    throw Failure(description: "\(label): the transformer \(name ?? "") made no value of \(data.count) bytes")
  }

  /// The registered transformer; nil for the default, and, after one warning on standard error, for a name that is not registered.
  private var transformer: ValueTransformer? {
    guard let name, !name.isEmpty else { return nil }
    if let transformer = ValueTransformer.named(NSValueTransformerName(name)) {
      // The stack's own reports mistakes only as its archive does.
      return type(of: transformer) == NSSecureUnarchiveFromDataTransformer.self ? nil : transformer
    }
    if Self.missing.withLock({ $0.insert(name).inserted }) {
      Warning.write(
        "no value transformer is registered as \(name), which \(label) names; a keyed archive is used instead")
    }
    return nil
  }

  /// Says that values of the attribute cannot be read; the first time only, since a table may be full of them.
  func warnOnce(_ message: String) {
    let isNew = Self.unreadable.withLock { $0.insert("\(label) \(name ?? "")").inserted }
    if isNew { Warning.write(message + "; further values of it are not reported") }
  }

  private static let unreadable = Locked<Set<String>>([])
}
