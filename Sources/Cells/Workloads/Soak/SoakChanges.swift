import Checking

/// The changes of one operation, by logical key; recorded when it was saved or refused.
struct SoakChanges: UnitChanges, Sendable {
  var inserted: [(note: Int64, words: Range<Int64>)] = []
  var moved: [(word: Int64, note: Int64)] = []
  var updated: [(note: Int64, revision: Int64)] = []
  var deleted: [(note: Int64, words: [Int64])] = []

  /// Objects that were made, changed or deleted.
  var objectCount: Int {
    inserted.reduce(0) { $0 + 1 + $1.words.count } + moved.count + updated.count
      + deleted.reduce(0) { $0 + 1 + $1.words.count }
  }

  func record(_ type: OperationType, code: Int64 = 0, in recorder: WorkerRecorder) {
    let history = recorder.history
    for (note, words) in inserted {
      history.record(type, .insert, entity: NotebookModel.EntityNumber.note, key: note)
      history.record(
        type, .insert, entity: NotebookModel.EntityNumber.word, key: words.lowerBound, count: Int64(words.count))
    }
    for (word, note) in moved {
      // Promises nothing of the word, but says with which note a cascade may take it.
      history.record(
        type == .ok ? .info : type, .insert, entity: NotebookModel.EntityNumber.word, key: word, value: note)
    }
    for (note, revision) in updated {
      history.record(type, .update, entity: NotebookModel.EntityNumber.note, key: note, value: revision)
    }
    for (note, words) in deleted {
      history.record(type, .delete, entity: NotebookModel.EntityNumber.note, key: note)
      for word in words { history.record(type, .delete, entity: NotebookModel.EntityNumber.word, key: word) }
    }
  }
}
