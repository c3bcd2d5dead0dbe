import CoreData
import Testing

@testable import Cells

struct NotificationRecorderTests {
  @Test func onlyTheObjectsThatAContextHasAreItsOwn() throws {
    let store = try TestStore()
    let container = try NotebookStore.open(in: store.directory, model: NotebookModel.shared)
    let (first, second) = (container.newBackgroundContext(), container.newBackgroundContext())
    let own = try first.performAndWait {
      let notes = Set<NSManagedObject>((0..<3).map { _ in Note(context: first) })
      for note in notes { note.setValue(1, forKey: "number") }
      try first.obtainPermanentIDs(for: Array(notes))
      #expect(NotificationRecorder.strangers(among: notes, in: first) == [])
      return notes
    }
    second.performAndWait {
      #expect(Set(NotificationRecorder.strangers(among: own, in: second)) == own)
    }
  }
}
