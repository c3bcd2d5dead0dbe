import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Appends one worker's operations to a memory-mapped file that survives the death of the process; in a simulation, which
/// has no process of its own, to memory.
///
/// An append takes no lock, allocates nothing and makes no system call but for the clock, which the C library reads
/// without entering the kernel; each `growthRecords` records the file is lengthened and its new end mapped.
/// A record that finds no room, the disk being full, is counted in the header, and the reader then refuses the file.
///
/// Concurrency: used by one thread at a time.
// `@unchecked`: a worker hands its writer from block to block, never to two at once, which the compiler cannot see.
package final class HistoryWriter: @unchecked Sendable {
  /// How many records one growth of the file makes room for: 1.8 MB.
  package static let growthRecords = 1 << 15
  /// A sequence number has 32 bits.
  private static let recordsMax = UInt64(UInt32.max)

  private struct State {
    /// The mapped part of the file in which the next record is; nil in memory.
    var window: HistoryWindow?
    /// Where the next record goes; nil in memory.
    var next: UnsafeMutableRawPointer?
    var count: UInt64 = 0
    /// How many records there are when the window is full; in memory as many as there are.
    var capacity: UInt64 = 0
    var isOpen = true
    /// The records in memory.
    var kept: [Operation] = []
    /// The time of the last record.
    var latest: UInt64 = 0
    /// Begin of the current unit, in the time of the records; 0 without one.
    var unitBegin: UInt64 = 0
  }

  private struct File {
    let descriptor: CInt
    let header: HistoryWindow
  }

  /// Number of the worker.
  package let process: UInt32
  private let growthRecords: Int
  private let file: File?
  // Behind a pointer in a `let`: the exclusivity checks of class variables would cost more than the append.
  private let state: UnsafeMutablePointer<State>

  /// Creates the file, with room for `growthRecords` records.
  ///
  /// - Throws: `Unusable`, when a file is there already or none can be made.
  package init(path: String, process: UInt32, growthRecords: Int = growthRecords) throws(Unusable) {
    precondition(growthRecords > 0, "a history grows by at least one record")
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw Unusable("\(path): no history can be made: \(errorText(errno))") }
    let start: UnsafeMutableRawPointer
    do {
      let length = growthRecords * HistoryFormat.recordSize
      let header = try HistoryWindow(of: descriptor, from: 0, length: HistoryFormat.headerSize)
      let window = try HistoryWindow(of: descriptor, from: HistoryFormat.headerSize, length: length)
      state = .allocate(capacity: 1)
      state.initialize(to: State(window: window, next: window.start, capacity: UInt64(growthRecords)))
      file = File(descriptor: descriptor, header: header)
      start = header.start
    } catch {
      close(descriptor)
      unlink(path)
      throw Unusable("\(path): no history can be made: \(error)")
    }
    self.process = process
    self.growthRecords = growthRecords
    start.storeBytes(of: HistoryFormat.version, toByteOffset: HistoryFormat.Header.version, as: UInt32.self)
    start.storeBytes(
      of: UInt32(HistoryFormat.recordSize), toByteOffset: HistoryFormat.Header.recordSize, as: UInt32.self)
    start.storeBytes(of: process, toByteOffset: HistoryFormat.Header.process, as: UInt32.self)
    start.storeBytes(of: HistoryFormat.magic, toByteOffset: HistoryFormat.Header.magic, as: UInt64.self)
  }

  /// Keeps the records in memory: ``RecordsInMemory`` makes these.
  init(inMemoryOf process: UInt32) {
    self.process = process
    growthRecords = 0
    file = nil
    state = .allocate(capacity: 1)
    state.initialize(to: State())
  }

  deinit {
    finish()
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// How many records were appended.
  package var count: Int { Int(state.pointee.count) }

  /// The records of one that keeps them in memory, once no other follows.
  var kept: [Operation] { state.pointee.kept }

  private static let isReplaced = Atomic<Bool>(false)
  // Written once, before the flag is raised.
  nonisolated(unsafe) private static var replacement: (@Sendable () -> UInt64?)?

  /// Takes times from `clock` first from now on, and reads the machine's where it has none; once a process, before the
  /// first record.
  package static func replaceClock(by clock: @escaping @Sendable () -> UInt64?) {
    precondition(!isReplaced.load(ordering: .relaxed), "the clock of histories is replaced once")
    replacement = clock
    isReplaced.store(true, ordering: .releasing)
  }

  /// Nanoseconds of `CLOCK_MONOTONIC`, the clock of all histories; in a simulation those of its own clock.
  @inline(__always)
  package static func now() -> UInt64 {
    if isReplaced.load(ordering: .relaxed), let time = replacement?() { return time }
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(truncatingIfNeeded: time.tv_sec) &* 1_000_000_000 &+ UInt64(truncatingIfNeeded: time.tv_nsec)
  }

  /// Runs `body`, and dates its invocations back to the call: for a unit that only finds out at its
  /// end which rows it changes, but has read before.
  package func recordingUnit<Result>(_ body: () throws -> Result) rethrows -> Result {
    let outer = state.pointee.unitBegin
    state.pointee.unitBegin = Self.now()
    defer { state.pointee.unitBegin = outer }
    return try body()
  }

  /// Appends a record of this moment, or of an invocation in a unit as of the unit's begin, and returns its time in
  /// nanoseconds.
  ///
  /// No record is older than the one before it.
  @discardableResult
  package func record(
    _ type: OperationType, _ function: OperationFunction, entity: UInt16 = 0, key: Int64 = 0, count: Int64 = 1,
    value: Int64 = 0, context: UInt32 = 0, object: Int64 = 0
  ) -> UInt64 {
    let isOfUnit = type == .invoke && state.pointee.unitBegin != 0
    let time = isOfUnit ? max(state.pointee.unitBegin, state.pointee.latest) : Self.now()
    record(
      type, function, entity: entity, key: key, count: count, value: value, context: context, object: object, at: time)
    return time
  }

  /// Appends a record of a moment that the caller has read from the same clock; moments of one writer never go back.
  package func record(
    _ type: OperationType, _ function: OperationFunction, entity: UInt16 = 0, key: Int64 = 0, count: Int64 = 1,
    value: Int64 = 0, context: UInt32 = 0, object: Int64 = 0, at time: UInt64
  ) {
    precondition(0...Int64(UInt32.max) ~= count, "a record's count has 32 bits")
    precondition(time >= state.pointee.latest, "moments of one writer never go back")
    if state.pointee.count == state.pointee.capacity {
      guard let file else {
        return keep(
          Operation(
            time: time, type: type, function: function, process: process, entity: entity, key: key, count: count,
            value: value, context: context, object: object))
      }
      guard grow(file) else { return }
    }
    guard let record = state.pointee.next else {
      preconditionFailure("a file with room has a place for the next record")
    }
    let sequence = state.pointee.count &+ 1
    let packed = HistoryFormat.packed(
      count: UInt32(truncatingIfNeeded: count), entity: entity, function: function.rawValue, type: type.rawValue)
    record.storeBytes(of: time, toByteOffset: HistoryFormat.Record.time, as: UInt64.self)
    record.storeBytes(of: key, toByteOffset: HistoryFormat.Record.key, as: Int64.self)
    record.storeBytes(of: value, toByteOffset: HistoryFormat.Record.value, as: Int64.self)
    record.storeBytes(of: packed, toByteOffset: HistoryFormat.Record.packed, as: UInt64.self)
    record.storeBytes(of: object, toByteOffset: HistoryFormat.Record.object, as: Int64.self)
    record.storeBytes(of: UInt64(context), toByteOffset: HistoryFormat.Record.context, as: UInt64.self)
    let commit = HistoryFormat.commitWord(
      process: process, sequence: sequence,
      (time, UInt64(bitPattern: key), UInt64(bitPattern: value), packed, UInt64(bitPattern: object), UInt64(context)))
    // Released, so that a thread that sees the commit word sees the record too.
    (record + HistoryFormat.Record.commit).assumingMemoryBound(to: Atomic<UInt64>.self)
      .pointee.store(commit, ordering: .releasing)
    state.pointee.count = sequence
    state.pointee.latest = time
    state.pointee.next = record + HistoryFormat.recordSize
  }

  /// Appends a record that another writer kept in memory.
  func record(_ operation: Operation) {
    record(
      operation.type, operation.function, entity: operation.entity, key: operation.key, count: operation.count,
      value: operation.value, context: operation.context, object: operation.object, at: operation.time)
  }

  /// Writes the number of records into the header and cuts the file to them. No record may follow; twice does no harm.
  package func finish() {
    guard state.pointee.isOpen else { return }
    state.pointee.isOpen = false
    guard let file else { return }
    state.pointee.capacity = state.pointee.count
    file.header.start.storeBytes(
      of: state.pointee.count + 1, toByteOffset: HistoryFormat.Header.closedCount, as: UInt64.self)
    file.header.unmap()
    state.pointee.window?.unmap()
    // A file left longer than its records is as readable.
    _ = ftruncate(file.descriptor, off_t(HistoryFormat.headerSize + count * HistoryFormat.recordSize))
    close(file.descriptor)
  }

  private func keep(_ operation: Operation) {
    precondition(state.pointee.isOpen, "a history takes no records once it is finished")
    state.pointee.kept.append(operation)
    state.pointee.count += 1
    state.pointee.capacity += 1
    state.pointee.latest = operation.time
  }

  /// Makes room for `growthRecords` more; false when there is none, and then the record is counted as lost.
  private func grow(_ file: File) -> Bool {
    precondition(state.pointee.isOpen, "a history takes no records once it is finished")
    let window = Result { () throws(SystemFailure) in
      guard state.pointee.count + UInt64(growthRecords) <= Self.recordsMax else { throw SystemFailure(code: EFBIG) }
      return try HistoryWindow(
        of: file.descriptor, from: HistoryFormat.headerSize + count * HistoryFormat.recordSize,
        length: growthRecords * HistoryFormat.recordSize)
    }
    switch window {
    case .success(let window):
      state.pointee.window?.unmap()
      state.pointee.window = window
      state.pointee.next = window.start
      state.pointee.capacity += UInt64(growthRecords)
      return true
    case .failure(let failure):
      let header = file.header.start
      let lost = header.load(fromByteOffset: HistoryFormat.Header.lostRecords, as: UInt64.self)
      if lost == 0 {
        header.storeBytes(of: failure.code, toByteOffset: HistoryFormat.Header.failure, as: Int32.self)
      }
      header.storeBytes(of: lost + 1, toByteOffset: HistoryFormat.Header.lostRecords, as: UInt64.self)
      return false
    }
  }
}

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
