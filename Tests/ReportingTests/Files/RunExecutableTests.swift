import Foundation
import Measuring
import Testing

@testable import Reporting

struct RunExecutableTests {
  private func git(_ folder: TemporaryFolder, _ arguments: String...) {
    let identity = ["-c", "user.name=A", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"]
    #expect(ToolOutput.of("git", identity + ["-C", folder.path] + arguments) != nil)
  }

  @Test func saysWhichCommitWhichFileAndWhetherSourcesWereChanged() throws {
    let folder = try TemporaryFolder()
    git(folder, "init", "-q")
    try folder.write("abc", to: "tool")
    git(folder, "add", "tool")
    git(folder, "commit", "-qm", "First")
    let clean = RunExecutable(at: folder.path + "/tool")
    #expect(clean.revision?.count == 40 && clean.isDirty == false)
    // As of every program that computes it.
    #expect(clean.sha256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(clean.summary == "revision \(clean.revision ?? ""), SHA-256 ba7816bf8f01…")
    try folder.write("ab", to: "tool")
    let changed = RunExecutable(at: folder.path + "/tool")
    #expect(changed.isDirty == true && changed.sha256 != clean.sha256)
    #expect(changed.summary.contains("with changes that are not committed"))
  }

  @Test func saysWhatItKnowsOutsideARepository() {
    let unknown = RunExecutable(at: "/proc/self/nothing")
    #expect(
      unknown == RunExecutable(path: "/proc/self/nothing", revision: nil) && unknown.summary == "revision unknown")
  }
}
