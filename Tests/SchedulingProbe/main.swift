import Foundation
import Scheduling

// Run by SchedulingTests with the name of a case: a test runner cannot do it, since its main queue is not the
// main thread's, and other tests watch the checkpoints of the process. Prints the first deadlock, or a legal case's line.

/// How long a case may take before it counts as hung.
let deadlineSeconds: UInt32 = 20

func finish(_ line: String) -> Never {
  print(line)
  exit(EXIT_SUCCESS)
}

alarm(deadlineSeconds)
WaitForGraph.setHandler { finish($0.description) }

let a = SerialQueue(label: "A")

switch CommandLine.arguments.dropFirst().first {
case "main-waits-for-a-group-that-waits-for-main":
  // main                          pool
  // waits for the group
  //                               waits for main
  SerialQueue.main.async {
    let group = WaitGroup(label: "imports")
    group.run("import", on: WorkPool(label: "pool", width: 4)) { SerialQueue.main.sync {} }
    group.wait()
  }

case "main-between":
  // background                    main
  // in A, waits for main
  //                               waits for A
  let thread = Thread { a.sync { SerialQueue.main.sync { a.sync {} } } }
  thread.start()

case "legal":
  // background                    main
  // waits for main
  //                               in main, A, main again
  // in A, waits for main
  //                               in main, B
  let thread = Thread {
    let b = SerialQueue(label: "B")
    let wasMain = SerialQueue.main.sync {
      a.sync { SerialQueue.main.sync { a.sync { Thread.isMainThread && SerialQueue.main.isHeld } } }
    }
    let wasMainAgain = a.sync { SerialQueue.main.sync { b.sync { Thread.isMainThread } } }
    finish("legal: \(wasMain && wasMainAgain && !SerialQueue.main.isHeld)")
  }
  thread.start()

case "idle":
  // Only the ticks run; the rest of the time the main thread must wait.
  let ticksAtSixtyHertz = 12
  var ticks = 0
  let ticker = Ticker(intervalNanoseconds: 16_666_667, on: .main) { _, _ in
    MainActor.assumeIsolated {
      ticks += 1
      guard ticks == ticksAtSixtyHertz else { return }
      finish("processor seconds: \(Double(clock()) / Double(CLOCKS_PER_SEC))")
    }
  }
  withExtendedLifetime(ticker) { MainLoop.run() }

case "checkpoint":
  // How often the subject was evaluated: before, during and after a watch.
  let place = Checkpoint("probe.place")
  var evaluations = 0
  func subject() -> String {
    evaluations += 1
    return "subject"
  }
  place.reach(subject())
  var seen = [evaluations]
  Checkpoint.watching { _, _ in
  } _: {
    place.reach(subject())
  }
  seen.append(evaluations)
  place.reach(subject())
  finish("evaluations: \(seen + [evaluations])")

case "noted":
  NotedUpdates.play()

case let name? where name.hasPrefix("over-"):
  WaitThatIsOver(name.dropFirst("over-".count)).play()

default:
  FileHandle.standardError.write(Data("usage: SchedulingProbe CASE\n".utf8))
  exit(EX_USAGE)
}

MainLoop.run()
