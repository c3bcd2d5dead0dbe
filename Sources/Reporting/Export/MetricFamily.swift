/// A metric of the OpenMetrics text format with its samples.
struct MetricFamily {
  private let name: String
  private let type: String
  private let unit: String?
  private let help: String
  private(set) var samples = ""

  /// - Parameter unit: base unit, which becomes the end of the name.
  init(_ name: String, type: String = "gauge", unit: String? = nil, help: String) {
    self.name = unit.map { "\(name)_\($0)" } ?? name
    self.type = type
    self.unit = unit
    self.help = help
  }

  /// Adds a sample; labels without value count as absent and are left out.
  mutating func add(_ labels: [(String, String)], _ value: Double, suffix: String = "") {
    let pairs = labels.filter { !$0.1.isEmpty }.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }
    samples += name + suffix + (pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}") + " \(Self.number(value))\n"
  }

  /// The family's lines: what it is, then its samples.
  var text: String {
    var lines = "# TYPE \(name) \(type)\n"
    if let unit { lines += "# UNIT \(name) \(unit)\n" }
    return lines + "# HELP \(name) \(Self.escaped(help))\n" + samples
  }

  private static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
      .replacing("\r", with: "\\n")
  }
}

/// The base unit in which a column's values are given.
struct MetricUnit {
  /// Its name; nil for a plain number.
  let name: String?
  private let divisor: Double

  init(_ unit: String?) {
    (name, divisor) =
      switch unit {
      case "s": ("seconds", 1)
      case "ns": ("seconds", 1e9)
      case "us": ("seconds", 1e6)
      case "ms": ("seconds", 1e3)
      case "bytes": ("bytes", 1)
      default: (nil, 1)
      }
  }

  func inBaseUnits(_ value: Double) -> Double { value / divisor }
}
