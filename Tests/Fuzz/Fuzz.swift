import Foundation

/// Gives damaged input to readers: an error is an answer, a crash or a hang is not.
///
/// A case is made from the seed and its number alone, so that one case can be run again by itself.
@main
enum Fuzz {
  /// The fuzz targets, by their names on the command line.
  static let targets: [String: @Sendable () throws -> any FuzzTarget] = [
    "compiled-models": { try CompiledModelTarget() }, "models": { ModelTarget() }, "predicates": { PredicateTarget() },
    "stores": { try StoreTarget() },
  ]

  /// A case that takes longer is a hang: the process is ended by SIGALRM.
  static let caseSecondsMax: UInt32 = 20

  static let help = """
    usage: Fuzz TARGET [--cases N] [--seed N] [--first N] [--jobs N] [--case N] [--trace]

    Targets: \(targets.keys.sorted().joined(separator: ", "))
      --cases N  how many cases to run; 100000 without it
      --seed N   where the cases come from; 1 without it
      --first N  the number of the first case; 0 without it
      --jobs N   processes that share the cases; as many as the machine has processors without it
      --case N   only the case with this number
      --trace    prints each case before it is run, all in one process: the last one printed is the one that crashed

    Run it as `swift run -c release Fuzz predicates --cases 100000 --seed 1`. It ends with 0 when every case gave a result
    or an error, with 1 when a target found a wrong answer. Each further target is a type that conforms to FuzzTarget and
    a line in the table of Fuzz.swift.
    """

  static func main() {
    let arguments = Arguments(Array(CommandLine.arguments.dropFirst()))
    guard let arguments, let make = targets[arguments.target] else {
      print(help)
      exit(64)
    }
    do {
      guard arguments.jobs == 1 else { exit(try FuzzJobs(arguments: arguments).run()) }
      exit(try run(make(), arguments) ? 0 : 1)
    } catch {
      print("\(arguments.target): \(error)")
      exit(70)
    }
  }

  /// Whether every answer was right.
  private static func run(_ target: some FuzzTarget, _ arguments: Arguments) throws -> Bool {
    var counts = FuzzCounts()
    for number in arguments.numbers {
      var generator = FuzzGenerator(seed: arguments.seed, number: number)
      let input = target.input(&generator)
      if arguments.isTracing {
        FileHandle.standardOutput.write(Data("case \(number): \(target.description(of: input))\n".utf8))
      }
      alarm(caseSecondsMax)
      let outcome = target.run(input, &generator)
      alarm(0)
      counts.add(outcome)
      if case .wrong(let reason) = outcome {
        print("WRONG case \(number), seed \(arguments.seed): \(reason)\n  \(target.description(of: input))")
      }
      if number % 10_000 == 9_999 { print("\(number + 1) cases: \(counts)") }
    }
    print("\(arguments.target), seed \(arguments.seed), cases \(arguments.numbers): \(counts)")
    return counts.wrong == 0
  }
}

/// The arguments of the command line.
struct Arguments {
  var target: String
  var seed: UInt64 = 1
  var numbers: Range<Int> = 0..<100_000
  /// Processes; 1 is this one.
  var jobs = ProcessInfo.processInfo.activeProcessorCount
  var isTracing = false

  /// Nil for a command line that is not understood.
  init?(_ words: [String]) {
    guard let first = words.first, !first.hasPrefix("-") else { return nil }
    target = first
    var rest = words.dropFirst()
    var (start, cases) = (0, 100_000)
    while let word = rest.popFirst() {
      if word == "--trace" {
        isTracing = true
        jobs = 1
        continue
      }
      guard let text = rest.popFirst(), let number = Int(text), number >= 0 else { return nil }
      switch word {
      case "--cases": cases = number
      case "--first": start = number
      case "--jobs" where number > 0: jobs = number
      case "--seed": seed = UInt64(number)
      case "--case": (start, cases, jobs) = (number, 1, 1)
      default: return nil
      }
    }
    guard cases <= .max - start else { return nil }
    numbers = start..<(start + cases)
    jobs = isTracing ? 1 : max(1, min(jobs, cases))
  }
}

/// How the cases ended.
struct FuzzCounts: CustomStringConvertible {
  private var read = 0
  private var refused = 0
  private(set) var wrong = 0

  mutating func add(_ outcome: FuzzOutcome) {
    switch outcome {
    case .read: read += 1
    case .refused: refused += 1
    case .wrong: wrong += 1
    }
  }

  var description: String { "\(read) read, \(refused) refused, \(wrong) wrong" }
}
