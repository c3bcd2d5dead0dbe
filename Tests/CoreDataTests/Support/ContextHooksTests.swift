import Scheduling
import Testing

@testable import CoreData

/// The stack's reports of IDs, objects and changes in the wrong place.
@Suite(.serialized) struct ContextHooksTests {
  /// The members that were called with unknown temporary IDs in the contexts of that name, while `body` ran.
  private func unknownIDs(in name: String, during body: () throws -> Void) rethrows -> [String] {
    let reported = Locked<[ContextHooks.UnknownID]>([])
    ContextHooks.onUnknownID { unknown in reported.withLock { $0.append(unknown) } }
    defer { ContextHooks.onUnknownID(nil) }
    try body()
    // Tests of other suites run at the same time.
    return reported.withLock { $0.filter { $0.context == name }.map(\.member) }
  }

  // S2.2
  @Test func aTemporaryIDOfAnotherContextIsReported() throws {
    let stack = try TestStack()
    let home = stack.context("hooks home")
    let others = (0..<3).map { _ in stack.context("hooks other") }
    let id = home.performAndWait { home.insertNote(1).objectID }
    let members = unknownIDs(in: "hooks other") {
      others[0].performAndWait { _ = others[0].object(with: id) }
      others[1].performAndWait { _ = try? others[1].existingObject(with: id) }
      others[2].performAndWait { _ = others[2].registeredObject(for: id) }
    }
    #expect(members == ["object(with:)", "object(with:)", "registeredObject(for:)"])
  }

  // S2.2, S4.3
  @Test func aTemporaryIDThatTheContextOrItsParentKnowsIsNotReported() throws {
    let stack = try TestStack()
    let parent = stack.context("hooks family")
    let child = stack.child(of: parent, "hooks family")
    let members = try unknownIDs(in: "hooks family") {
      try parent.performAndWait {
        let own = parent.insertNote(1).objectID
        _ = parent.object(with: own)
        child.performAndWait {
          _ = child.object(with: own)
          _ = child.registeredObject(for: own)
        }
        let pushed = try child.performAndWait {
          let note = child.insertNote(2)
          try child.save()
          return note.objectID
        }
        _ = parent.object(with: pushed)
        // It is the other name of a stored object now.
        try parent.save()
        _ = parent.object(with: pushed)
        parent.reset()
        _ = parent.registeredObject(for: pushed)
      }
    }
    #expect(members.isEmpty)
  }

  // S2.2
  @Test func aPermanentIDIsNotReported() throws {
    let stack = try TestStack()
    let (home, other) = (stack.context("hooks home"), stack.context("hooks permanent"))
    let id = try home.performAndWait {
      let note = home.insertNote(1)
      try home.obtainPermanentIDs(for: [note])
      return note.objectID
    }
    let members = unknownIDs(in: "hooks permanent") { other.performAndWait { _ = other.object(with: id) } }
    #expect(members.isEmpty)
  }

  @Test func changesAndSavesAreReportedButNotMerges() throws {
    let stack = try TestStack()
    try stack.seed(1...1)
    let (writer, reader) = (stack.context("writer"), stack.context("reader"))
    let reported = Locked<[ObjectIdentifier: [ContextHooks.Write]]>([:])
    ContextHooks.onWrite { context, write in reported.withLock { $0[context, default: []].append(write) } }
    defer { ContextHooks.onWrite(nil) }
    reader.automaticallyMergesChangesFromParent = true
    try reader.performAndWait { _ = try reader.note(1).title }
    try writer.performAndWait {
      try writer.note(1).title = "new"
      try writer.save()
      try writer.note(1).title = "taken back"
      writer.rollback()
      try writer.save()
    }
    let title = try reader.performAndWait { try reader.note(1).title }
    #expect(title == "new")
    #expect(reported.withLock { $0[ObjectIdentifier(writer)] } == [.change, .save, .change])
    #expect(reported.withLock { $0[ObjectIdentifier(reader)] } == nil)
  }
}
