import Foundation

extension HistoryWriter {
  /// Nanoseconds that one record costs here, its clock included: the mean over `records` appends to a file in
  /// `directory`, which is removed again.
  package static func measureCost(records: Int, directory: String) throws(Unusable) -> Double {
    precondition(records > 0, "a mean needs at least one record")
    let path = directory + "/cost-\(UUID().uuidString).bin"
    let writer = try HistoryWriter(path: path, process: 0)
    defer { unlink(path) }
    let start = now()
    for index in 0..<Int64(records) { writer.record(.invoke, .read, entity: 1, key: index, value: index) }
    let end = now()
    writer.finish()
    return Double(end - start) / Double(records)
  }
}
