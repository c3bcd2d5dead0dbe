import Testing

@testable import Reporting

struct CSVReaderTests {
  private func read(_ text: String) throws -> [[String]] {
    try CSVReader.records(Array(text.utf8), path: "x.csv").map(\.fields)
  }

  @Test func whatTheWriterQuotesIsReadBack() throws {
    let fields = ["plain", "", "a,b", "say \"so\"", "two\nlines", "cr\r\nlf", " blanks ", "노트"]
    #expect(try read(CSV.line(fields) + CSV.line(fields)) == [fields, fields])
  }

  @Test func bothLineEndsAreTaken() throws {
    #expect(try read("a,b\r\n1,2\r\n") == [["a", "b"], ["1", "2"]])
    #expect(try read("") == [])
  }

  @Test func aRecordKnowsTheLineItBeginsIn() throws {
    let records = try CSVReader.records(Array("a\n\"x\ny\"\nz\n".utf8), path: "x.csv")
    #expect(records.map(\.line) == [1, 2, 4])
  }

  @Test(arguments: [
    ("a,b\n1\n", "x.csv:2: has 1 fields, and the header 2"),
    ("a,b\n1,2\n3,", "x.csv:3: ends in the middle of a line"),
    ("a,b\n1,2", "x.csv:2: ends in the middle of a line"),
    ("a\n\"b", "x.csv:2: opens a quote that is never closed"),
    ("a\nb\"c\n", "x.csv:2: has a quote inside a field without quotes"),
    ("a\n\"b\"c\n", "x.csv:2: has text behind a closing quote"),
  ])
  func damageIsReported(text: String, message: String) {
    let error = #expect(throws: ReportingError.self) { try read(text) }
    #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
  }

  @Test func bytesThatAreNoTextAreReported() {
    let error = #expect(throws: ReportingError.self) { try CSVReader.records([97, 10, 0xFF, 10], path: "x.csv") }
    #expect(error?.cause == "is not UTF-8")
  }
}
