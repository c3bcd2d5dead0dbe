import Foundation

/// A file of tagged histograms of nanoseconds, in the form that HdrHistogram's tools read and plot.
///
/// - SeeAlso: HdrHistogram, "HistogramLogWriter", log format version 1.3.
package struct HistogramLog: Sendable {
  /// One histogram of the file.
  package struct Entry: Sendable {
    /// The name of the measurement; without blanks and commas.
    package var tag: String
    /// When it began, in seconds from the log's start.
    package var startSeconds: Double
    /// How long it was measured.
    package var lengthSeconds: Double
    /// The measured latencies: no failures, and the mean and maximum as exact as the percentiles.
    package var latencies: LatencyRecorder

    /// Makes an entry.
    package init(tag: String, startSeconds: Double = 0, lengthSeconds: Double, latencies: LatencyRecorder) {
      precondition(!tag.contains { $0 == "," || $0.isWhitespace }, "a tag has no blanks and no commas: \(tag)")
      self.tag = tag
      self.startSeconds = startSeconds
      self.lengthSeconds = lengthSeconds
      self.latencies = latencies
    }
  }

  /// Ends the name of such files.
  package static let fileExtension = "hlog"

  /// Lines about the whole file, without line ends.
  package var comments: [String]
  /// When measuring began, in seconds since 1970.
  package var startSeconds: Double
  package var entries: [Entry]

  /// Makes a log.
  package init(comments: [String] = [], startSeconds: Double, entries: [Entry]) {
    self.comments = comments
    self.startSeconds = startSeconds
    self.entries = entries
  }

  /// A tag of several words: joined by slashes; blanks and commas, which no tag may have, become dashes.
  package static func tag(_ words: [String]) -> String {
    precondition(!words.isEmpty, "a measurement has a name")
    return words.joined(separator: "/").map { $0 == "," || $0.isWhitespace ? "-" : String($0) }.joined()
  }

  private static let versionLine = "#[Histogram log format version 1.3]"
  private static let legend = #""StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram""#
  private static let nanosecondsPerMillisecond = 1e6

  /// The file's text; greatest values are in milliseconds, as its readers expect.
  package var text: String {
    var lines = comments.map { "#[\($0.split(whereSeparator: \.isNewline).joined(separator: " "))]" }
    lines.append(Self.versionLine)
    lines.append("#[StartTime: \(Self.fixed(startSeconds)) (seconds since epoch)]")
    lines.append(Self.legend)
    for entry in entries {
      let max = Double(entry.latencies.histogram.max) / Self.nanosecondsPerMillisecond
      lines.append(
        "Tag=\(entry.tag),\(Self.fixed(entry.startSeconds)),\(Self.fixed(entry.lengthSeconds)),\(Self.fixed(max)),"
          + HistogramEncoding.text(entry.latencies.histogram))
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Reads a file's text.
  ///
  /// - Throws: `HistogramLogError` when a line is not of this format.
  package init(text: String) throws(HistogramLogError) {
    comments = []
    startSeconds = 0
    entries = []
    for (index, line) in text.split(separator: "\n").enumerated() {
      if line.hasPrefix("#[StartTime: ") {
        startSeconds = Double(line.dropFirst(13).prefix { $0 != " " }) ?? 0
      } else if line.hasPrefix("#[") {
        comments.append(String(line.dropFirst(2).dropLast()))
      } else if !line.hasPrefix("#"), !line.hasPrefix("\"") {
        do {
          entries.append(try Self.entry(line))
        } catch {
          throw HistogramLogError("line \(index + 1) \(error.description)")
        }
      }
    }
  }

  private static func entry(_ line: Substring) throws(HistogramLogError) -> Entry {
    var fields = line.split(separator: ",", omittingEmptySubsequences: false)
    var tag = ""
    if let first = fields.first, first.hasPrefix("Tag=") {
      tag = String(first.dropFirst(4))
      fields.removeFirst()
    }
    guard fields.count == 4, let start = Double(fields[0]), let length = Double(fields[1]), Double(fields[2]) != nil
    else { throw HistogramLogError("does not have start, length, maximum and histogram") }
    guard !tag.contains(where: \.isWhitespace) else { throw HistogramLogError("has a tag with blanks") }
    let histogram = try HistogramEncoding.histogram(text: String(fields[3]))
    return Entry(
      tag: tag, startSeconds: start, lengthSeconds: length, latencies: LatencyRecorder(histogram))
  }

  private static func fixed(_ number: Double) -> String { String(format: "%.3f", number) }
}

/// A histogram log that cannot be read.
package struct HistogramLogError: Error, CustomStringConvertible, Sendable, Hashable {
  /// The mistake, as it follows the name of the file.
  package let description: String

  init(_ description: String) { self.description = description }
}
