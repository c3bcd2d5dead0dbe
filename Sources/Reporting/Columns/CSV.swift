/// The CSV format: commas, `\n` line ends, quotes only where they are needed.
///
/// - SeeAlso: RFC 4180; it asks for CRLF, and every reader takes the plain newline, which `cut` and `awk` need.
package enum CSV {
  /// One line with its line end.
  package static func line(_ fields: [String]) -> String { fields.map(quoted).joined(separator: ",") + "\n" }

  /// The field, in quotes when it contains a comma, a quote or a line end, or begins or ends with a blank.
  package static func quoted(_ field: String) -> String {
    let special = field.utf8.contains { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 == 10 || $0 == 13 }
    guard special || field.utf8.first == 32 || field.utf8.last == 32 else { return field }
    var quoted = "\""
    for scalar in field.unicodeScalars {
      if scalar == "\"" { quoted.append("\"") }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }
}
