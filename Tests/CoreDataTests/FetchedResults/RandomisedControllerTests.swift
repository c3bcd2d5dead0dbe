import CoreData
import Scheduling
import Testing

/// S7.5: whatever happens, a controller's reports turn the old list into the new one, and that equals a fetch.
@Suite(.oneThread) struct RandomisedControllerTests {
  static let roundsPerSeed = 500

  @Test(arguments: UInt64(1)...20) func whatIsReportedIsWhatAFetchGives(_ seed: UInt64) throws {
    let game = try CardGame(seed: seed)
    for round in 0..<Self.roundsPerSeed {
      try game.play()
      guard try game.isConsistent() else {
        Issue.record("run with seed \(seed): round \(round), after \(game.recentMoves.joined(separator: ", "))")
        return
      }
    }
    #expect(game.longest > 10, "the lists were worth the name")
  }
}

/// A context with cards that change in every way, and controllers that follow.
private final class CardGame {
  private let stack: TestStack
  private let context: NSManagedObjectContext
  private let other: NSManagedObjectContext
  private let otherSaves: NotificationLog
  private let controller: NSFetchedResultsController<Card>
  private let plain: NSFetchedResultsController<Card>
  private let log = DelegateLog()
  private let differences = DifferenceLog()
  private var table = ShadowTable()
  private var ids: [NSManagedObjectID] = []
  private var cards: [Card] = []
  private var random: SeededRandom
  private let mergesByItself: Bool
  private(set) var recentMoves: [String] = []
  private(set) var longest = 0

  init(seed: UInt64) throws {
    random = SeededRandom(seed: seed)
    stack = try TestStack(.memory, model: Cards.model())
    context = stack.context("main")
    other = stack.context("other")
    otherSaves = NotificationLog(other)
    mergesByItself = seed % 3 == 0
    controller = Cards.controller(context, sections: seed % 2 == 0)
    plain = Cards.controller(context)
    controller.delegate = log
    plain.delegate = differences
    let hasUndo = seed % 4 < 2
    try context.performAndWait {
      context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
      context.automaticallyMergesChangesFromParent = mergesByItself
      if hasUndo { context.undoManager = UndoManager() }
      try fetch()
    }
    other.performAndWait { other.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy }
  }

  private func fetch() throws {
    try controller.performFetch()
    try plain.performFetch()
    _ = log.takeEvents()
    _ = differences.take()
    table = ShadowTable(controller)
    ids = try #require(plain.fetchedObjects).map(\.objectID)
    cards = try context.fetch(NSFetchRequest<Card>(entityName: "Card"))
  }

  // MARK: Moves

  func play() throws {
    recentMoves = recentMoves.suffix(12)
    try context.performAndWait {
      for _ in 0..<Int.random(in: 1...4, using: &random) { try move() }
      context.processPendingChanges()
    }
    // Saves from elsewhere are merged when the queue is entered again.
    context.performAndWait { context.processPendingChanges() }
  }

  private func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

  private func alive() -> Card? {
    cards.removeAll { $0.managedObjectContext !== context }
    return cards.filter { !$0.isDeleted }.randomElement(using: &random)
  }

  private func edit(_ card: Card) {
    switch number(5) {
    case 0: card.rank = Int64(number(6))
    case 1: card.box = ["a", "b", "c", "d", nil][number(5)]
    case 2: card.isShown.toggle()
    case 3: card.text = "\(number(100))"
    default:
      card.rank = Int64(number(6))
      card.box = ["a", "b"][number(2)]
    }
  }

  private func insert(into context: NSManagedObjectContext) -> Card {
    let card = context.insertCard(Int64(number(6)), box: ["a", "b", "c", "d", nil][number(5)])
    card.serial = Int64.random(in: 0..<Int64.max, using: &random)
    card.isShown = number(4) > 0
    return card
  }

  private func move() throws {
    let kind = number(40)
    recentMoves.append("\(kind)")
    switch kind {
    case 0...7: if cards.count < 40 { cards.append(insert(into: context)) }
    case 8...10: if let card = alive() { context.delete(card) }
    case 11...20: if let card = alive() { edit(card) }
    case 21, 22: try playElsewhere(other)
    case 23: try playElsewhere(stack.child(of: context))
    case 24, 25: context.processPendingChanges()
    case 26: if let card = alive() { context.refresh(card, mergeChanges: true) }
    case 27: if let card = alive(), !card.isInserted { context.refresh(card, mergeChanges: false) }
    case 28: if number(4) == 0 { context.refreshAllObjects() }
    case 29...31: try context.save()
    case 32: if number(3) == 0 { context.rollback() }
    case 33, 34: context.undo()
    case 35: context.redo()
    case 36: for card in cards where card.managedObjectContext === context && !card.isDeleted { edit(card) }
    case 37: try context.obtainPermanentIDs(for: cards.filter { $0.managedObjectContext === context && $0.isInserted })
    case 38 where number(5) == 0:
      context.reset()
      try fetch()
    default: break
    }
  }

  /// Changes in another context, or a child, which saves; then they are merged here.
  private func playElsewhere(_ elsewhere: NSManagedObjectContext) throws {
    let saves = otherSaves.didSaves.count
    try elsewhere.performAndWait {
      elsewhere.reset()
      var theirs = try elsewhere.fetch(NSFetchRequest<Card>(entityName: "Card"))
      theirs.sort { $0.serial < $1.serial }
      for _ in 0..<(1 + number(3)) {
        switch number(6) {
        case 0, 1: if theirs.count < 40 { theirs.append(insert(into: elsewhere)) }
        case 2:
          if let card = theirs.randomElement(using: &random), !card.isDeleted { elsewhere.delete(card) }
        default:
          if let card = theirs.randomElement(using: &random), !card.isDeleted { edit(card) }
        }
      }
      try elsewhere.save()
    }
    guard elsewhere === other, !mergesByItself else { return }
    for save in otherSaves.didSaves.dropFirst(saves) { context.mergeChanges(fromContextDidSave: save) }
  }

  // MARK: Checks

  func isConsistent() throws -> Bool {
    try context.performAndWait {
      for difference in differences.take() {
        guard let next = ids.applying(difference) else { return false }
        ids = next
      }
      guard replay() else { return false }
      let request = Cards.request(sections: controller.sectionNameKeyPath != nil)
      let fetched = try context.fetch(request)
      let shown = try #require(controller.fetchedObjects)
      longest = max(longest, shown.count)
      cards = try context.fetch(NSFetchRequest<Card>(entityName: "Card"))
      cards.sort { $0.serial < $1.serial }
      #expect(shown.map(\.serial) == fetched.map(\.serial))
      #expect(shown == fetched)
      #expect(plain.fetchedObjects?.map(\.objectID) == ids)
      let unsectioned = try context.fetch(Cards.request())
      #expect(plain.fetchedObjects == unsectioned)
      #expect(differences.otherCalls == 0)
      for section in controller.sections ?? [] where controller.sectionNameKeyPath != nil {
        for card in section.objects as? [Card] ?? [] { #expect((card.box ?? "") == section.name) }
      }
      return shown == fetched && plain.fetchedObjects?.map(\.objectID) == ids
    }
  }

  /// Each event's steps, one event after the other.
  private func replay() -> Bool {
    for steps in log.takeEvents() { table.apply(steps) }
    let shown = ShadowTable(controller)
    #expect(table == shown)
    return table == shown
  }
}
