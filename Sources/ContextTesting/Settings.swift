import Foundation
import Scheduling

/// The settings of a test's exploration: its own, and those of the environment in their place.
struct Settings: Sendable {
  var schedules: Int
  var seconds: Double
  var seed: UInt64
  var policy = PolicyCatalogue.portfolioName
  /// The one schedule to repeat.
  var replay: String?
  /// The faults of the stack's that an order fails by.
  var faults: Set<StackFault>

  init(
    schedules: Int, seconds: Double, seed: UInt64, faults: Set<StackFault> = .errors,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws {
    func value<Value: LosslessStringConvertible>(_ name: String, _ own: Value, _ isRight: (Value) -> Bool) throws
      -> Value
    {
      guard let text = environment[name] else { return own }
      guard let value = Value(text), isRight(value) else {
        throw NotExplored("\(name) is \(text), which is no such number.")
      }
      return value
    }
    guard schedules > 0, seconds > 0 else { throw NotExplored("explore() takes at least one schedule and some time.") }
    self.schedules = try value("CONTEXTBENCH_SCHEDULES", schedules) { $0 > 0 }
    self.seconds = try value("CONTEXTBENCH_SECONDS", seconds) { $0 > 0 && $0 < 1e7 }
    self.seed = try value("CONTEXTBENCH_SEED", seed) { _ in true }
    self.faults = try environment["CONTEXTBENCH_FAULTS"].map(Self.faults) ?? faults
    replay = environment["CONTEXTBENCH_REPLAY"]
    if let name = environment["CONTEXTBENCH_POLICY"] {
      guard PolicyCatalogue.names.contains(name) else {
        throw NotExplored("CONTEXTBENCH_POLICY is \(name); there are \(PolicyCatalogue.names.joined(separator: ", ")).")
      }
      policy = name
    }
  }

  /// Names of faults, with commas between them.
  private static func faults(_ text: String) throws -> Set<StackFault> {
    switch text {
    case "all": return .all
    case "none": return []
    default:
      return Set(
        try text.split(separator: ",").map { name in
          guard let fault = StackFault(rawValue: String(name)) else {
            let names = StackFault.allCases.map(\.rawValue).joined(separator: ", ")
            throw NotExplored("CONTEXTBENCH_FAULTS has \(name); there are all, none, \(names).")
          }
          return fault
        })
    }
  }
}
