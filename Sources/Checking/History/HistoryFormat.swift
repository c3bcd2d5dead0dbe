/// The bytes of a history file: a header, then records of one size, in the byte order of the machine.
///
/// A record's commit word is stored last, so a record counts when its commit word is there. The number of records is
/// never written while the writer lives: it is the number of commit words, which holds whenever the process dies.
enum HistoryFormat {
  /// "CBHISTRY" as bytes.
  static let magic: UInt64 = 0x5952_5453_4948_4243
  static let version: UInt32 = 2
  static let headerSize = 64
  static let recordSize = 56

  /// Offsets in the header.
  enum Header {
    static let magic = 0
    static let version = 8
    static let recordSize = 12
    /// Number of the worker that wrote the records.
    static let process = 16
    /// `errno` of the first record that found no room; 0 as long as none was lost.
    static let failure = 20
    static let lostRecords = 24
    /// 1 + the number of records, once the writer was closed.
    static let closedCount = 32
  }

  /// Offsets in a record.
  enum Record {
    static let time = 0
    static let key = 8
    static let value = 16
    /// Type, function, entity and count, from the highest bits down.
    static let packed = 24
    /// Primary key of the row that it is about: negative while its object has a temporary ID, 0 where none applies.
    static let object = 32
    /// Number of the context, 0 where none applies; 32 bits, and as many zeros.
    static let context = 40
    /// Sequence number from 1 in the upper half, checksum in the lower.
    static let commit = 48
  }

  /// The commit word of a worker's record, over its six other words.
  @inline(__always)
  static func commitWord(
    process: UInt32, sequence: UInt64, _ words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)
  ) -> UInt64 {
    // An odd multiplier a word makes the order of the words count; the product's upper half depends on all bits.
    var sum = (sequence | UInt64(process) << 32) &* 0x9E37_79B9_7F4A_7C15
    sum = (sum ^ words.0) &* 0xBF58_476D_1CE4_E5B9
    sum = (sum ^ (sum >> 31) ^ words.1) &* 0x94D0_49BB_1331_11EB
    sum = (sum ^ (sum >> 31) ^ words.2) &* 0xBF58_476D_1CE4_E5B9
    sum = (sum ^ (sum >> 31) ^ words.3) &* 0x94D0_49BB_1331_11EB
    sum = (sum ^ (sum >> 31) ^ words.4) &* 0xBF58_476D_1CE4_E5B9
    sum = (sum ^ (sum >> 31) ^ words.5) &* 0x94D0_49BB_1331_11EB
    return sequence << 32 | sum >> 32
  }

  /// The fourth word of a record.
  @inline(__always)
  static func packed(count: UInt32, entity: UInt16, function: UInt8, type: UInt8) -> UInt64 {
    UInt64(count) | UInt64(entity) << 32 | UInt64(function) << 48 | UInt64(type) << 56
  }
}
