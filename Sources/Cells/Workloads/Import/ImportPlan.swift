/// Which importer writes which notes in which saves; the same for every strategy and the floor.
package struct ImportPlan: Sendable, Equatable {
  /// Numbers of the notes of each save, by importer.
  package let batches: [[Range<Int>]]

  /// Gives each importer an equal run of notes and cuts it into saves of at least `saveEvery` objects, whole notes
  /// with their words; only the last save of an importer is smaller.
  package init(notes: Range<Int>, wordsPerNote: Int, importers: Int, saveEvery: Int) {
    precondition(importers > 0 && saveEvery > 0, "an import has importers, and saves have objects")
    precondition(wordsPerNote >= 0, "a note has some words, or none")
    let notesPerSave = (saveEvery + wordsPerNote) / (1 + wordsPerNote)
    batches = (0..<importers).map { importer in
      let start = notes.lowerBound + notes.count * importer / importers
      let end = notes.lowerBound + notes.count * (importer + 1) / importers
      return stride(from: start, to: end, by: notesPerSave).map { $0..<min($0 + notesPerSave, end) }
    }
    precondition(batches.joined().reduce(0) { $0 + $1.count } == notes.count, "each note is in one batch")
  }

  /// Notes of each save, for a single writer that takes the importers' shares one after the other.
  package var notesPerSave: [Int] { batches.joined().map(\.count) }
}
