import CoreData
import Foundation
import Scheduling

/// Listens to the stack while one order runs.
struct StackWatch: Sendable {
  private struct Birth {
    weak var context: NSManagedObjectContext?
    let stack: [UInt]
  }

  private struct Addition {
    weak var sign: ObserverWatch.Sign?
    let name: String
    let stack: [UInt]
  }

  private let judge: StackJudge
  private let births = Locked<[Birth]>([])
  private let additions = Locked<[Addition]>([])
  private let keepsStacks: Bool

  init(keepsStacks: Bool) {
    self.keepsStacks = keepsStacks
    judge = StackJudge(keepsStacks: keepsStacks)
  }

  func begin() {
    precondition(births.current.isEmpty && additions.current.isEmpty, "a watch listens to one order")
    // The process may do more than run the order.
    ContextWatch.setListener { [judge] event in
      guard Simulation.isCurrent else { return }
      judge.receive(event)
      // The process would end.
      if case .foreign = event { Simulation.abandon() }
    }
    ConcurrencyDebugging.setEnabled(true)
    // The test may have a handler of its own.
    ConcurrencyDebugging.setWatcher { [self] seen in
      guard Simulation.isCurrent else { return }
      let (fault, subject): (StackFault, String) =
        switch seen.subject {
        case .context: (.contextOffQueue, seen.context)
        case .object(let entity, _): (.objectOffQueue, "\(entity) in \(seen.context)")
        }
      add(fault, subject, "\(seen)", "used")
    }
    ContextHooks.onUnknownID { [self] unknown in
      guard Simulation.isCurrent else { return }
      add(
        .temporaryIDEscaped, unknown.entity,
        "\(unknown.context).\(unknown.member) was asked for \(unknown.id), which only the context that made it knows",
        "asked")
    }
    ContextHooks.onNewContext { [births, keepsStacks] context in
      guard Simulation.isCurrent else { return }
      let stack = keepsStacks ? ThreadRecord.returnAddresses : []
      births.withLock { $0.append(Birth(context: context, stack: stack)) }
    }
    ObserverWatch.setListener { [additions, keepsStacks] name in
      let sign = ObserverWatch.Sign()
      let stack = keepsStacks ? ThreadRecord.returnAddresses : []
      additions.withLock { $0.append(Addition(sign: sign, name: name, stack: stack)) }
      return sign
    }
  }

  private func add(_ fault: StackFault, _ subject: String, _ text: String, _ title: String) {
    let stack = keepsStacks ? ThreadRecord.returnAddresses : []
    judge.add(FoundFault(fault: fault, subject: subject, text: text, stacks: [(title, stack)]))
  }

  /// Listens no more.
  ///
  /// - Parameter isOver: whether the order came to its end, so that remaining objects were left behind.
  /// - Returns: the faults found.
  func end(_ outcome: SimulationOutcome, isOver: Bool) -> [FoundFault] {
    precondition(!Simulation.isCurrent, "an order is over before it is judged")
    ContextWatch.setListener(nil)
    ConcurrencyDebugging.restore()
    ConcurrencyDebugging.setWatcher(nil)
    ContextHooks.onUnknownID(nil)
    ContextHooks.onNewContext(nil)
    ObserverWatch.setListener(nil)
    // It is meant to wait for its run loop, and locks are held for short.
    let waits = outcome.mainWaits.filter {
      !$0.hasPrefix("a run loop") && !$0.hasPrefix("a lock") && !$0.hasPrefix("what ")
    }
    for wait in Set(waits).sorted() {
      judge.add(FoundFault(fault: .mainThreadStall, subject: wait, text: "the main thread waited for \(wait)"))
    }
    guard isOver, outcome.ending == .finished else { return judge.found }
    judge.finish()
    addLeaks()
    return judge.found
  }

  /// Looks for observers and objects of the order that live on.
  private func addLeaks() {
    for addition in additions.current where addition.sign != nil {
      judge.add(
        FoundFault(
          fault: .observerLeak, subject: addition.name, text: "an observer of \(addition.name) was not removed",
          stacks: [("added", addition.stack)]))
    }
    births.withLock { births in
      for birth in births {
        guard let context = birth.context else { continue }
        let name = context.name ?? "a context without a name"
        judge.add(
          FoundFault(
            fault: .contextLeak, subject: name, text: "\(name) lives on after the test", stacks: [("made", birth.stack)]
          ))
      }
    }
  }
}
