import Foundation
import Measuring
import Testing

@testable import Boundary

@Suite struct StartedProcessTests {
  private func run(_ script: String, _ change: (inout StartedProcess.Start) -> Void = { _ in }) throws -> (
    end: StartedProcess.End, output: String
  ) {
    let output = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: output) }
    try Data("before\n".utf8).write(to: URL(fileURLWithPath: output))
    var start = StartedProcess.Start(
      executable: "/bin/sh", arguments: ["-c", script], inputPath: "/dev/null", outputPath: output)
    change(&start)
    let end = try StartedProcess(start).wait()
    return (end, try String(contentsOfFile: output, encoding: .utf8))
  }

  @Test func itsEndIsAStatusOrASignal() throws {
    #expect(try run("exit 3").end == StartedProcess.End(signal: 0, status: 3))
    #expect(try run("kill -SEGV $$").end == StartedProcess.End(signal: SIGSEGV, status: 0))
  }

  @Test func aSignalThatStopsItIsSeen() throws {
    let process = try StartedProcess(
      StartedProcess.Start(executable: "/bin/sh", arguments: ["-c", "kill -STOP $$"], inputPath: "/dev/null"))
    var info = siginfo_t()
    #expect(waitid(P_PID, id_t(process.id), &info, WSTOPPED) == 0)
    #expect(ProcessorDelay.isStopped(process.id) && !ProcessorDelay.isStopped(getpid()))
    process.kill()
    #expect(process.wait().signal == SIGKILL)
    #expect(!ProcessorDelay.isStopped(process.id), "no process has the number, or another one")
  }

  @Test func outputAndErrorsAreAppendedToItsFile() throws {
    #expect(try run("echo out; echo err >&2").output == "before\nout\nerr\n")
  }

  @Test func itsEnvironmentIsThisOneWithChanges() throws {
    let output = try run("echo $CHANGED; test -n \"$PATH\" && echo inherited") { $0.environment = ["CHANGED": "here"] }
      .output
    #expect(output == "before\nhere\ninherited\n")
  }

  @Test func itLeadsAGroupWhereItIsAskedTo() throws {
    let script = "test $(cut -d ' ' -f 5 /proc/$$/stat) = $$ && echo leads"
    #expect(try run(script) { $0.leadsGroup = true }.output == "before\nleads\n")
    #expect(try run(script).output == "before\n")
  }

  /// A descriptor without O_CLOEXEC of this process, even one of the same moment, is not open there.
  @Test func itHasTheDescriptorThatItIsGivenAndNoOther() throws {
    let open = Foundation.open("/dev/null", O_RDONLY)
    defer { close(open) }
    let script = "for fd in /proc/$$/fd/*; do basename $fd; done | sort -n | tr '\\n' ' '"
    #expect(try run(script).output.hasPrefix("before\n0 1 2 "))
    let given = try run("readlink /proc/$$/fd/3; test -e /proc/$$/fd/4 || echo none") { $0.passing = (open, 3) }.output
    #expect(given == "before\n/dev/null\nnone\n")
    #expect(try run("test -e /proc/$$/fd/\(open) || echo none").output == "before\nnone\n")
  }

  @Test func aProgramThatIsNotThereIsAFailureWithItsName() {
    let start = StartedProcess.Start(executable: "/none", arguments: [], inputPath: "/dev/null")
    #expect {
      try StartedProcess(start)
    } throws: {
      "\($0)" == "/none cannot be started: No such file or directory"
    }
  }
}
