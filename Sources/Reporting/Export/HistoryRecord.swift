import Foundation

/// A line of a kept history, `history.jsonl`.
struct HistoryRecord: Decodable {
  /// The subject of a record: rows of an entity, or the steps of a transaction.
  struct Value: Decodable {
    let text: String
    var entity: String?
    var keys: Range<Int64>?
    var value: Int64 = 0

    private enum Key: String, CodingKey { case entity, key, count, value, elements }

    init(from decoder: any Decoder) throws {
      guard let values = try? decoder.container(keyedBy: Key.self) else {
        text = "transaction"
        return
      }
      entity = try? values.decode(String.self, forKey: .entity)
      let key = try values.decode(Int64.self, forKey: .key)
      let count = try values.decode(Int64.self, forKey: .count)
      value = try values.decode(Int64.self, forKey: .value)
      let (end, isTooLarge) = key.addingReportingOverflow(count)
      guard count >= 0, !isTooLarge else {
        throw DecodingError.dataCorruptedError(
          forKey: .count, in: values, debugDescription: "There are no \(count) keys from \(key) on.")
      }
      keys = key..<end
      let range = count == 1 ? "\(key)" : "\(key)…\(end &- 1)"
      text = "\(entity.map { "\($0) " } ?? "")\(range)" + (value == 0 ? "" : ", value \(value)")
    }
  }

  let index: Int
  let time: UInt64
  let type: String
  let process: Int
  let f: String
  let value: Value
  let context: String?

  /// The worker that recorded it.
  var worker: String { Self.worker(process) }

  /// The name of a worker by its number.
  static func worker(_ process: Int) -> String { process == 0 ? "main" : "worker \(process)" }
}
