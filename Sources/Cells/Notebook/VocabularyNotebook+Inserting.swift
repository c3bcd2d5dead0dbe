import CoreData

extension VocabularyNotebook {
  /// Inserts the notes with these numbers, each with its words, into `context`; on the context's queue.
  package func insert(notes numbers: Range<Int>, into context: NSManagedObjectContext) {
    // Those of the context's model, which may have more entities than the notebook.
    guard let noteEntity = NSEntityDescription.entity(forEntityName: "Note", in: context),
      let wordEntity = NSEntityDescription.entity(forEntityName: "Word", in: context)
    else { preconditionFailure("no entities Note and Word: make a strategy's contexts on the container it is given") }
    for number in numbers {
      let note = Note(entity: noteEntity, insertInto: context)
      note.fill(self.note(number))
      for wordNumber in wordNumbers(ofNote: number) {
        let word = Word(entity: wordEntity, insertInto: context)
        word.fill(self.word(wordNumber))
        word.note = note
      }
    }
  }
}
