import Histogram

extension LatencyRecorder: Codable {
  private enum CodingKeys: String, CodingKey {
    case histogram, sumNanoseconds, largestNanoseconds, bytes, countWithBytes, failed
  }

  /// Reads the output of ``encode(to:)``.
  package init(from decoder: any Decoder) throws {
    self.init()
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let counts = try HistogramEncoding.histogram(text: try values.decode(String.self, forKey: .histogram))
    // Into a histogram of this recorder's own range, so that recorders can be merged.
    histogram.add(counts)
    sumNanoseconds = try values.decode(UInt64.self, forKey: .sumNanoseconds)
    largestNanoseconds = try values.decode(UInt64.self, forKey: .largestNanoseconds)
    bytes = try values.decode(UInt64.self, forKey: .bytes)
    countWithBytes = try values.decode(UInt64.self, forKey: .countWithBytes)
    failed = try values.decode(UInt64.self, forKey: .failed)
  }

  /// Writes all of it: the histogram as in a line of a log.
  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(HistogramEncoding.text(histogram), forKey: .histogram)
    try values.encode(sumNanoseconds, forKey: .sumNanoseconds)
    try values.encode(largestNanoseconds, forKey: .largestNanoseconds)
    try values.encode(bytes, forKey: .bytes)
    try values.encode(countWithBytes, forKey: .countWithBytes)
    try values.encode(failed, forKey: .failed)
  }
}
