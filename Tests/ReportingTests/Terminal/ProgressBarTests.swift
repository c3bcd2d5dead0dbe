import Testing

@testable import Reporting

struct ProgressBarTests {
  @Test func showsWhatIsDoneAndWhatIsLeft() {
    let bar = ProgressBar(total: 8, width: 100, start: 0, write: nil)
    #expect(
      bar.line(done: 2, label: "import parent-child", elapsedSeconds: 6)
        == "[█████               ] 2/8  6.00 s  about 18.0 s left  import parent-child")
    #expect(bar.line(done: 8, label: "", elapsedSeconds: 24) == "[████████████████████] 8/8  24.0 s  ")
  }

  @Test func aLineFitsTheTerminal() {
    let bar = ProgressBar(total: 8, width: 40, start: 0, write: nil)
    #expect(bar.line(done: 2, label: String(repeating: "x", count: 99), elapsedSeconds: 6).count == 39)
  }

  @Test func clearsOnlyWhatItShowed() {
    var written: [String] = []
    var bar = ProgressBar(total: 2, width: 80, start: 0) { written.append($0) }
    bar.clear()
    #expect(written.isEmpty)
    bar.update(done: 1, label: "a", now: 1_000_000_000)
    bar.clear()
    bar.clear()
    #expect(written.count == 2)
    #expect(written.last == "\r\u{1B}[K")
  }

  @Test func withoutATerminalNothingIsShown() {
    var bar = ProgressBar(total: 2, width: 80, start: 0, write: nil)
    bar.update(done: 1, label: "a")
    bar.clear()
  }
}
