/// Ways to damage bytes.
enum Mutation {
  /// The bytes with one to four faults: cut short, bits flipped, pieces doubled, moved, taken out or overwritten.
  static func damaged(_ bytes: [UInt8], _ generator: inout FuzzGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0...generator.below(4) {
      guard !bytes.isEmpty else { return bytes }
      let piece = self.piece(bytes, &generator)
      switch generator.below(6) {
      case 0: bytes.removeLast(bytes.count - piece.lowerBound)
      case 1:
        for _ in 0...generator.below(8) { bytes[generator.below(bytes.count)] ^= 1 << UInt8(generator.below(8)) }
      case 2: bytes.insert(contentsOf: bytes[piece], at: generator.below(bytes.count + 1))
      case 3:
        let moved = Array(bytes[piece])
        bytes.removeSubrange(piece)
        bytes.insert(contentsOf: moved, at: generator.below(bytes.count + 1))
      case 4: bytes.removeSubrange(piece)
      default:
        for place in piece { bytes[place] = UInt8(truncatingIfNeeded: generator.next()) }
      }
    }
    return bytes
  }

  private static func piece(_ bytes: [UInt8], _ generator: inout FuzzGenerator) -> Range<Int> {
    let start = generator.below(bytes.count)
    return start..<min(bytes.count, start + 1 + generator.below(16))
  }
}
