import Checking

/// A unit of work that does one thing to notes and words of consecutive numbers.
struct NotebookChanges: UnitChanges {
  var function: OperationFunction
  /// Empty for none.
  var notes: Range<Int>
  /// Empty for none.
  var words: Range<Int>
  /// Number of the context, and of the first note there; 0 where it is not recorded.
  var context: UInt32 = 0
  var object: Int64 = 0
  var tellsOfPushes = false

  var objectCount: Int { notes.count + words.count }

  func record(_ type: OperationType, code: Int64, in recorder: WorkerRecorder) {
    record(type, function, in: recorder)
  }

  func recordPush(in recorder: WorkerRecorder) {
    if tellsOfPushes { record(.ok, .push, in: recorder) }
  }

  private func record(_ type: OperationType, _ function: OperationFunction, in recorder: WorkerRecorder) {
    precondition(
      notes.isEmpty || words.count.isMultiple(of: notes.count), "each of the notes has as many words as any other")
    if !notes.isEmpty {
      recorder.history.record(
        type, function, entity: NotebookModel.EntityNumber.note, key: Int64(notes.lowerBound),
        count: Int64(notes.count), context: context, object: object)
    }
    guard !words.isEmpty else { return }
    recorder.history.record(
      type, function, entity: NotebookModel.EntityNumber.word, key: Int64(words.lowerBound),
      count: Int64(words.count), context: context)
  }
}
