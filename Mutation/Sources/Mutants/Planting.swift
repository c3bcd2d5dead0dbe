/// A mutant of a build, and the lines that it has there.
package struct PlantedMutant: Codable, Sendable {
  package let number: Int
  package let mutant: Mutant
  /// Lines of the mutated file on which there is text of this mutant.
  package var lines: [Int] = []
  /// Lines of the mutated file which the declaration around it has.
  package var around: [Int] = []

  package init(number: Int, mutant: Mutant) {
    self.number = number
    self.mutant = mutant
  }
}

/// Puts mutants into the text of a file.
package enum Planting {
  /// A text at a place of the file.
  private struct Insertion {
    let place: Int
    /// Those that end come first, then what has no range, then those that begin.
    let turn: Int
    let length: Int
    let text: String
    let index: Int
  }

  /// The text with all of them, each behind its number; and where they are.
  package static func plant(_ mutants: [PlantedMutant], in source: String) -> (text: String, planted: [PlantedMutant]) {
    let bytes = Array(source.utf8)
    var planted = mutants
    var text = ""
    var line = 1
    var position = 0
    /// How many lines were put in before each line of the source, in order.
    var added: [(line: Int, count: Int)] = []
    var sourceLine = 1
    func copy(to end: Int) {
      let piece = String(decoding: bytes[position..<end], as: UTF8.self)
      let breaks = piece.utf8.count { $0 == UInt8(ascii: "\n") }
      line += breaks
      sourceLine += breaks
      text += piece
      position = end
    }
    for insertion in insertions(mutants) {
      copy(to: insertion.place)
      let first = line
      text += insertion.text
      let breaks = insertion.text.utf8.count { $0 == UInt8(ascii: "\n") }
      line += breaks
      if breaks > 0 { added.append((sourceLine, breaks)) }
      planted[insertion.index].lines += first...line
    }
    copy(to: bytes.count)
    for index in planted.indices {
      let mutant = planted[index].mutant
      let before = added.reduce(0) { $0 + ($1.line < mutant.firstLine ? $1.count : 0) }
      let inside = added.reduce(0) { $0 + ($1.line <= mutant.lastLine ? $1.count : 0) }
      planted[index].around = [mutant.firstLine + before, mutant.lastLine + inside]
    }
    return (text, planted)
  }

  private static func insertions(_ mutants: [PlantedMutant]) -> [Insertion] {
    var all: [Insertion] = []
    for (index, planted) in mutants.enumerated() {
      let mutant = planted.mutant
      let length = mutant.end - mutant.start
      let before = mutant.before.replacing(Mutant.numberMark, with: "\(planted.number)")
      let after = mutant.after.replacing(Mutant.numberMark, with: "\(planted.number)")
      all.append(Insertion(place: mutant.start, turn: length == 0 ? 1 : 2, length: length, text: before, index: index))
      if length > 0 {
        all.append(Insertion(place: mutant.end, turn: 0, length: length, text: after, index: index))
      }
    }
    return all.sorted { first, second in
      if first.place != second.place { return first.place < second.place }
      if first.turn != second.turn { return first.turn < second.turn }
      // Of two with one range the later in the list is inside.
      if first.turn == 0 { return (first.length, second.index) < (second.length, first.index) }
      return (second.length, first.index) < (first.length, second.index)
    }
  }
}
