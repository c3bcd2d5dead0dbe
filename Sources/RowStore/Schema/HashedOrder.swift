/// The order in which Apple's dictionaries give names: that of the slots of to-many relationships in a history.
///
/// No file and no document says it. It was found by the slots of three entities in a store of Apple's Notes: the bits
/// agree with it in each transaction that shows which relationship is meant.
package struct HashedOrder {
  /// Places of a dictionary, and how many names fit before it grows.
  private static let sizes = [
    (3, 3), (7, 6), (13, 11), (23, 19), (41, 32), (71, 52), (127, 85), (191, 118), (251, 155), (383, 237), (631, 390),
    (1_087, 672), (1_723, 1_065), (2_803, 1_732),
  ]
  /// Columns that every table has.
  private static let bookkeeping = ["Z_ENT", "Z_OPT", "Z_PK"]

  private var places: [String?]

  /// - Parameter further: keys beside the names, which only take room.
  package init(_ names: [String], further: Int) {
    let count = names.count + Self.bookkeeping.count + further
    let size = Self.sizes.first { $0.1 >= count }?.0 ?? (count * 2 + 1)
    precondition(size > names.count + Self.bookkeeping.count, "a dictionary has a free place")
    places = Array(repeating: nil, count: size)
    for name in names.sorted() + Self.bookkeeping {
      var place = Int(Self.hash(name) % UInt64(size))
      while places[place] != nil { place = (place + 1) % size }
      places[place] = name
    }
  }

  /// The names, ordered.
  package var names: [String] { places.compactMap { $0 } }

  /// The hash of a text as Core Foundation computes it, of texts up to 96 bytes.
  private static func hash(_ text: String) -> UInt64 {
    let bytes = text.utf8.map(UInt64.init)
    var hash = UInt64(bytes.count)
    var rest = bytes[...]
    while rest.count >= 4 {
      let four = Array(rest.prefix(4))
      hash = hash &* 67_503_105 &+ four[0] &* 16_974_593 &+ four[1] &* 66_049 &+ four[2] &* 257 &+ four[3]
      rest = rest.dropFirst(4)
    }
    for byte in rest { hash = hash &* 257 &+ byte }
    return hash &+ hash << UInt64(bytes.count & 31)
  }
}
