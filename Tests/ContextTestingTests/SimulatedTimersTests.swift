import Foundation
import Scheduling
import Testing

/// Timers and work items of Dispatch do in a simulation as they do outside.
@Suite(.serialized) struct SimulatedTimersTests {
  typealias Log = SimulatedCallsTests.Log

  /// The words of some orders, which all end.
  private func logs(_ body: @escaping @Sendable (Log) async -> Void) -> Set<[String]> {
    Set(
      (0..<20 as Range<UInt64>).map { seed in
        let log = Log()
        var options = Simulation.Options()
        options.interceptsCalls = true
        let outcome = Simulation.run(policy: RandomWalkPolicy(seed: seed), options) { Task { await body(log) } }
        #expect(outcome.ending == .finished)
        return log.all
      })
  }

  /// Does no step but to let time pass.
  @Sendable private static func pause() async { try? await Task.sleep(for: .seconds(2)) }

  @Test func aTimerWithoutAQueueGoesOff() {
    #expect(
      logs { log in
        let timer = DispatchSource.makeTimerSource()
        timer.schedule(deadline: .now() + 0.1)
        timer.setEventHandler { log.add("tick") }
        timer.resume()
        await Self.pause()
        timer.cancel()
      } == [["tick"]])
  }

  @Test func aTimerThatIsSuspendedGoesOffWhenItIsResumed() {
    #expect(
      logs { log in
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "ticks"))
        timer.schedule(deadline: .now() + 0.5)
        timer.setEventHandler { log.add("tick") }
        timer.resume()
        timer.suspend()
        await Self.pause()
        log.add("resumed")
        timer.resume()
        await Self.pause()
        timer.cancel()
      } == [["resumed", "tick"]])
  }

  @Test func aTimerThatWentOffOnceDoesNotAgain() {
    #expect(
      logs { log in
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "ticks"))
        timer.schedule(deadline: .now() + 0.1)
        timer.setEventHandler { log.add("tick") }
        timer.resume()
        await Self.pause()
        timer.suspend()
        timer.resume()
        await Self.pause()
        timer.cancel()
      } == [["tick"]])
  }

  // Sendable: the value is touched under the lock only.
  private final class Holder: @unchecked Sendable {
    private let lock = NSLock()
    private var timer: (any DispatchSourceTimer)?
    func hold(_ new: (any DispatchSourceTimer)?) { lock.withLock { timer = new } }
  }

  @Test func aTimerThatIsDroppedStops() {
    @Sendable func start(_ log: Log) {
      let holder = Holder()
      let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "ticks"))
      timer.schedule(deadline: .now() + 0.1, repeating: 0.1)
      timer.setEventHandler {
        log.add("tick")
        holder.hold(nil)
      }
      holder.hold(timer)
      timer.resume()
    }
    #expect(
      logs { log in
        start(log)
        await Self.pause()
        log.add("end")
      } == [["tick", "end"]])
  }

  @Test func aQueueThatOnlyAnotherOneHoldsRunsItsBlocks() {
    #expect(
      logs { log in
        let queue = DispatchQueue(label: "inner", target: DispatchQueue(label: "outer"))
        await withCheckedContinuation { done in queue.async { done.resume() } }
        log.add("run")
      } == [["run"]])
  }

  @Test func aWorkItemThatIsOverNotifiesAtOnce() {
    #expect(
      logs { log in
        let item = DispatchWorkItem { log.add("item") }
        item.perform()
        await withCheckedContinuation { done in item.notify(queue: .global()) { done.resume() } }
        log.add("notified")
      } == [["item", "notified"]])
  }
}
