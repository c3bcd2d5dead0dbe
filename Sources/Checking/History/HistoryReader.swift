import Foundation

/// Reads one worker's history file, once its writer is finished or its process dead.
package enum HistoryReader {
  /// The operations of the file at `path`, in the order in which they were recorded.
  ///
  /// A file of a killed writer ends at its last whole record. Anything else that is wrong (a foreign file, a
  /// changed record, a record missing from a closed file, a record that found no room) makes the file unusable.
  package static func operations(at path: String) throws(Unusable) -> [Operation] {
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw Unusable("\(path): the history cannot be read: \(error.localizedDescription)")
    }
    let result = data.withUnsafeBytes { bytes in
      Result { () throws(Unusable) in try operations(in: bytes) }
    }
    return try result.mapError { Unusable("\(path): \($0.reason)") }.get()
  }

  static func operations(in bytes: UnsafeRawBufferPointer) throws(Unusable) -> [Operation] {
    guard bytes.count >= HistoryFormat.headerSize,
      bytes.loadUnaligned(fromByteOffset: HistoryFormat.Header.magic, as: UInt64.self) == HistoryFormat.magic
    else { throw Unusable("not a history file") }
    let version = bytes.loadUnaligned(fromByteOffset: HistoryFormat.Header.version, as: UInt32.self)
    let recordSize = bytes.loadUnaligned(fromByteOffset: HistoryFormat.Header.recordSize, as: UInt32.self)
    guard version == HistoryFormat.version, recordSize == HistoryFormat.recordSize else {
      throw Unusable("a history of version \(version), this is version \(HistoryFormat.version)")
    }
    let lost = bytes.loadUnaligned(fromByteOffset: HistoryFormat.Header.lostRecords, as: UInt64.self)
    guard lost == 0 else {
      let failure = bytes.loadUnaligned(fromByteOffset: HistoryFormat.Header.failure, as: Int32.self)
      throw Unusable("\(lost) operations could not be recorded: \(errorText(failure))")
    }
    let process = bytes.loadUnaligned(fromByteOffset: HistoryFormat.Header.process, as: UInt32.self)
    let closedCount = bytes.loadUnaligned(fromByteOffset: HistoryFormat.Header.closedCount, as: UInt64.self)

    let room = (bytes.count - HistoryFormat.headerSize) / HistoryFormat.recordSize
    var operations: [Operation] = []
    operations.reserveCapacity(closedCount > 0 ? min(room, Int(clamping: closedCount - 1)) : 0)
    var time: UInt64 = 0
    while operations.count < room, let operation = try record(operations.count, of: bytes, process: process) {
      guard operation.time >= time else { throw Unusable("record \(operations.count) goes back in time") }
      time = operation.time
      operations.append(operation)
    }
    if closedCount > 0 {
      guard operations.count == closedCount - 1 else {
        throw Unusable("closed with \(closedCount - 1) records, but has \(operations.count)")
      }
    } else {
      // The record after the last may be half-written. Later bytes were never touched.
      let untouched = HistoryFormat.headerSize + (operations.count + 1) * HistoryFormat.recordSize
      if untouched < bytes.count, !isZero(UnsafeRawBufferPointer(rebasing: bytes[untouched...])) {
        throw Unusable("record \(operations.count) is missing, and there are later ones")
      }
    }
    return operations
  }

  /// Whether every byte is 0; a file of one worker has megabytes of them.
  private static func isZero(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let start = bytes.baseAddress, let first = bytes.first else { return true }
    // Each byte is the one before it.
    return first == 0 && memcmp(start, start + 1, bytes.count - 1) == 0
  }

  /// The record at an index, nil where no commit word is.
  private static func record(
    _ index: Int, of bytes: UnsafeRawBufferPointer, process: UInt32
  ) throws(Unusable) -> Operation? {
    let start = HistoryFormat.headerSize + index * HistoryFormat.recordSize
    precondition(start + HistoryFormat.recordSize <= bytes.count, "a record is read from within its file")
    let commit = bytes.loadUnaligned(fromByteOffset: start + HistoryFormat.Record.commit, as: UInt64.self)
    guard commit != 0 else { return nil }
    let time = bytes.loadUnaligned(fromByteOffset: start + HistoryFormat.Record.time, as: UInt64.self)
    let key = bytes.loadUnaligned(fromByteOffset: start + HistoryFormat.Record.key, as: UInt64.self)
    let value = bytes.loadUnaligned(fromByteOffset: start + HistoryFormat.Record.value, as: UInt64.self)
    let packed = bytes.loadUnaligned(fromByteOffset: start + HistoryFormat.Record.packed, as: UInt64.self)
    let object = bytes.loadUnaligned(fromByteOffset: start + HistoryFormat.Record.object, as: UInt64.self)
    let context = bytes.loadUnaligned(fromByteOffset: start + HistoryFormat.Record.context, as: UInt64.self)
    let sequence = UInt64(index) + 1
    let words = (time, key, value, packed, object, context)
    guard commit == HistoryFormat.commitWord(process: process, sequence: sequence, words),
      let function = OperationFunction(rawValue: UInt8(truncatingIfNeeded: packed >> 48)),
      let type = OperationType(rawValue: UInt8(truncatingIfNeeded: packed >> 56))
    else { throw Unusable("record \(index) is damaged") }
    return Operation(
      time: time, type: type, function: function, process: process, entity: UInt16(truncatingIfNeeded: packed >> 32),
      key: Int64(bitPattern: key), count: Int64(UInt32(truncatingIfNeeded: packed)), value: Int64(bitPattern: value),
      context: UInt32(truncatingIfNeeded: context), object: Int64(bitPattern: object))
  }
}
