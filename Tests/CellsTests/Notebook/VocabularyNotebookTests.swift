import Testing

@testable import Cells

@Suite struct VocabularyNotebookTests {
  @Test func theSameSeedGivesTheSameRows() {
    let first = VocabularyNotebook(notes: 40, wordsPerNote: 5, seed: 7)
    let second = VocabularyNotebook(notes: 40, wordsPerNote: 5, seed: 7)
    for number in 1...40 { #expect(first.note(number) == second.note(number)) }
    for number in 1...200 { #expect(first.word(number) == second.word(number)) }
  }

  @Test func anotherSeedGivesOtherRows() {
    let first = VocabularyNotebook(notes: 40, wordsPerNote: 5, seed: 7)
    let second = VocabularyNotebook(notes: 40, wordsPerNote: 5, seed: 8)
    #expect((1...40).allSatisfy { first.note($0) != second.note($0) })
  }

  @Test func textsAreAsLongAsInRealNotebooks() {
    let notebook = VocabularyNotebook(notes: 3_000, wordsPerNote: 4, seed: 1)
    for number in 1...3_000 {
      let note = notebook.note(number)
      #expect(VocabularyNotebook.Limits.title.contains(note.title.count), "\(note.title)")
      #expect(VocabularyNotebook.Limits.body.contains(note.body.count), "\(note.body)")
    }
    for number in 1...12_000 {
      let word = notebook.word(number)
      #expect(VocabularyNotebook.Limits.term.contains(word.term.count), "\(word.term)")
      #expect(VocabularyNotebook.Limits.meaning.contains(word.meaning.count), "\(word.meaning)")
    }
  }

  @Test func everyLanguageHasEveryConcept() {
    let count = Lexicon.all[0].terms.count
    for lexicon in Lexicon.all { #expect(lexicon.terms.count == count, "\(lexicon.code)") }
  }

  @Test func everyScriptAppears() {
    let notebook = VocabularyNotebook(notes: 500, wordsPerNote: 1, seed: 3)
    let learned = Set((1...500).map { notebook.note($0).language.prefix(2) })
    #expect(learned == Set(Lexicon.all.map { $0.code.prefix(2) }))
  }

  @Test func identifiersAreUniqueRandomUUIDs() {
    let notebook = VocabularyNotebook(notes: 1_000, wordsPerNote: 0, seed: 5)
    let identifiers = Set((1...1_000).map { notebook.note($0).uuid })
    #expect(identifiers.count == 1_000)
    #expect(identifiers.allSatisfy { $0.uuid.6 >> 4 == 4 && $0.uuid.8 >> 6 == 0b10 })
  }

  @Test func wordsOfConsecutiveNotesAreConsecutive() {
    let notebook = VocabularyNotebook(notes: 10, wordsPerNote: 20, seed: 1)
    #expect(notebook.wordNumbers(ofNotes: 1..<2) == 1..<21)
    #expect(notebook.wordNumbers(ofNotes: 3..<5) == 41..<81)
    #expect(notebook.rowCount == 210)
  }
}
