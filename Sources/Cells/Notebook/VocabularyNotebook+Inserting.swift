import CoreData

extension VocabularyNotebook {
  /// Inserts the notes with these numbers, each with its words, into `context`; on the context's queue.
  package func insert(notes numbers: Range<Int>, into context: NSManagedObjectContext) {
    let entities = NotebookModel.shared.entitiesByName
    guard let noteEntity = entities["Note"], let wordEntity = entities["Word"] else {
      preconditionFailure("the notebook's model has notes and words")
    }
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
