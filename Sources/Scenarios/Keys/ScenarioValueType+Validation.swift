import Foundation

extension ScenarioValueType {
  /// The problem of a value, and the remedy.
  struct Complaint: Error, Equatable {
    var what: String
    var advice: String
  }

  /// The canonical text of a scalar.
  ///
  /// - Parameters:
  ///   - isQuoted: whether the file has it in quotes, which makes it text.
  ///   - folder: the folder of relative paths.
  func canonical(
    _ text: String, isQuoted: Bool, in folder: String, vocabulary: ScenarioVocabulary
  ) throws(Complaint) -> String {
    if text.isEmpty, !isQuoted, self != .text {
      throw Complaint(what: "has no value", advice: "Write a \(title) after the colon")
    }
    switch self {
    case .integer(let range):
      guard !isQuoted, let value = Int(text.replacing("_", with: "")) else { throw wrongType(text, isQuoted) }
      guard range.contains(value) else { throw outOfRange(text) }
      return String(value)
    case .number(let range):
      guard !isQuoted, let value = Double(text.replacing("_", with: "")), value.isFinite else {
        throw wrongType(text, isQuoted)
      }
      guard range.contains(value) else { throw outOfRange(text) }
      return String(value)
    case .boolean:
      guard !isQuoted, text == "true" || text == "false" else { throw wrongType(text, isQuoted) }
      return text
    case .text:
      return text
    case .path:
      let path = URL(fileURLWithPath: text, relativeTo: URL(fileURLWithPath: folder, isDirectory: true))
        .standardizedFileURL.path
      guard FileManager.default.fileExists(atPath: path) else {
        throw Complaint(what: "there is no file \(path)", advice: "Write the path of a file or folder that is there")
      }
      return path
    case .choice(let words):
      guard words.contains(text) else { throw unknown(text, "choice", words) }
      return text
    case .name(let list), .names(let list):
      guard vocabulary[list].contains(text) else { throw unknown(text, list.singular, vocabulary[list]) }
      return text
    case .optionsSection, .expectSection, .thresholdsSection, .phasesSection, .quickSection, .carefulSection:
      throw wrongType(text, isQuoted)
    }
  }

  /// A value of the wrong type.
  private func wrongType(_ text: String, _ isQuoted: Bool) -> Complaint {
    let shown = isQuoted ? "\"\(text)\"" : text
    let advice = rangeText.isEmpty ? "Write \(article)\(title)" : "Write \(article)\(title), \(rangeText)"
    return Complaint(what: "\(shown) is not \(article)\(title)", advice: advice + (isQuoted ? ", without quotes" : ""))
  }

  private var article: String { self == .boolean ? "" : "a " }

  private func outOfRange(_ text: String) -> Complaint {
    Complaint(what: "\(text) is out of range", advice: "Write \(article)\(title), \(rangeText)")
  }

  private func unknown(_ text: String, _ noun: String, _ known: [String]) -> Complaint {
    Complaint(what: "unknown \(noun) \(text)", advice: NearestName.advice(for: text, in: known))
  }
}
