import Foundation

/// Runs the cases in several processes of this program, each with its part of the numbers: a case depends on nothing but
/// the seed and its number.
struct FuzzJobs {
  let arguments: Arguments

  private struct Job {
    let process: Process
    let numbers: Range<Int>
  }

  /// The exit code: 0 when every process ended with it.
  func run() throws -> Int32 {
    let jobs = try parts.map { numbers in Job(process: try start(numbers), numbers: numbers) }
    var code: Int32 = 0
    for job in jobs {
      job.process.waitUntilExit()
      guard job.process.terminationReason == .exit else {
        print(
          "ENDED by signal \(job.process.terminationStatus) in the cases \(job.numbers); run \(arguments.target) "
            + "--seed \(arguments.seed) --first \(job.numbers.lowerBound) --cases \(job.numbers.count) --trace")
        code = max(code, 1)
        continue
      }
      code = max(code, job.process.terminationStatus)
    }
    return code
  }

  /// The numbers in as many parts of about one length.
  private var parts: [Range<Int>] {
    let (start, count, jobs) = (arguments.numbers.lowerBound, arguments.numbers.count, arguments.jobs)
    return (0..<jobs).map { start + count * $0 / jobs..<start + count * ($0 + 1) / jobs }.filter { !$0.isEmpty }
  }

  private func start(_ numbers: Range<Int>) throws -> Process {
    let process = Process()
    process.executableURL = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = [
      arguments.target, "--seed", "\(arguments.seed)", "--first", "\(numbers.lowerBound)", "--cases",
      "\(numbers.count)", "--jobs", "1",
    ]
    try process.run()
    return process
  }
}
