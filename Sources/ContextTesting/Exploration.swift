import Foundation
import Scheduling

/// A test that `contextbench test` explores, or some of a suite's together, in a process of its own.
package struct Exploration: Sendable {
  package let test: String
  /// How many cases run together; 0 where they are only counted, nil where each is explored.
  package let cases: Int?
  private let folder: String

  /// Nil in a process that runs its tests as ever.
  package static let requested: Exploration? = {
    let environment = ProcessInfo.processInfo.environment
    guard let test = environment[ExploredTest.testVariable], let folder = environment[ExploredTest.folderVariable]
    else {
      return nil
    }
    return Exploration(test: test, cases: environment[ExploredTest.casesVariable].flatMap(Int.init), folder: folder)
  }()

  /// Tries the orders of a body, and adds the verdict to the results.
  @discardableResult
  package func explore(_ body: @escaping @Sendable () async throws -> Void) -> ExploredTest.Verdict {
    let file = folder + "/" + ExploredTest.resultsFile
    let before = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    let number = before.split(separator: "\n").count + 1
    let place = ScheduleFile.Place(test: number == 1 ? test : "\(test) #\(number)", in: folder)
    var result: ExploredTest.Result
    do {
      result = try self.result(place, body)
    } catch {
      result = ExploredTest.Result(.notSimulated, "\(error)")
    }
    if let line = try? JSONEncoder().encode(result) {
      let text = before + String(decoding: line, as: UTF8.self) + "\n"
      try? text.write(toFile: file, atomically: true, encoding: .utf8)
    }
    return result.verdict
  }

  private func result(
    _ place: ScheduleFile.Place, _ body: @escaping @Sendable () async throws -> Void
  ) throws -> ExploredTest.Result {
    let settings = try Settings(schedules: 500, seconds: 10, seed: 1)
    let progress = ProgressFile(path: folder + "/" + ExploredTest.progressFile)
    let search = OrderSearch(settings, place, ExploredBody(faults: settings.faults, cases: cases ?? 1, body)) {
      progress.note($0)
    }
    if settings.replay != nil {
      do { try search.run() } catch let order as FailingOrder { return ExploredTest.Result(.fails, order.description) }
      return ExploredTest.Result(.passed)
    }
    let tally = try search.count()
    let order = try search.confirmed(tally)
    var result = ExploredTest.Result(order == nil ? .passed : .fails, order?.description ?? "")
    result.orders = tally.orders
    result.failing = tally.failing
    result.isExhausted = tally.isExhausted
    if order == nil { result.text = tally.warnings.map { "warning: \($0)" }.joined(separator: "\n") }
    return result
  }
}

/// The file with the number of the schedule that runs.
private final class ProgressFile: Sendable {
  private let descriptor: Int32

  init(path: String) { descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600) }

  deinit { if descriptor >= 0 { close(descriptor) } }

  func note(_ number: Int) {
    var text = "\(number)"
    _ = text.withUTF8 { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
  }
}
