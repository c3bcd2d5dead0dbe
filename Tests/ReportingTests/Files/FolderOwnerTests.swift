import Foundation
import Testing

@testable import Reporting

struct FolderOwnerTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func refusal(_ body: () throws -> Void) throws -> String {
    "\(try #require(throws: ReportingError.self) { try body() })"
  }

  @Test func aSecondOwnerIsRefusedWithTheFirst() throws {
    let owner = try FolderOwner(of: folder.path)
    let text = try refusal { _ = try FolderOwner(of: folder.path) }
    #expect(text.contains("process \(getpid()) on \(ProcessInfo.processInfo.hostName)"))
    #expect(text.contains("is writing into it. Wait for its end, or choose another folder"))
    owner.release()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    #expect(try FolderOwner(of: folder.path).takeover == nil)
  }

  @Test func theLockOfAnOwnerThatDiedIsTakenOverWithASentence() throws {
    let dead = #"{"process":77,"host":"elsewhere","command":"run import"}"#
    try Data(dead.utf8).write(to: URL(fileURLWithPath: folder.path + "/owner.json"))
    let owner = try FolderOwner(of: folder.path)
    #expect(owner.takeover?.contains("process 77 on elsewhere (run import) wrote into it and has ended") == true)
    #expect(try refusal { _ = try FolderOwner(of: folder.path) }.contains("process \(getpid())"))
  }

  @Test func aFolderWithResultsIsNotForNewOnesAndStaysFree() throws {
    try Data().write(to: URL(fileURLWithPath: folder.path + "/manifest.json"))
    #expect(try refusal { _ = try FolderOwner(ofNew: folder.path) }.contains("holds the results of another run"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["manifest.json"])
    _ = try FolderOwner(of: folder.path)
  }

  @Test func aNameThatBeginsWithATildeIsNoHome() {
    let current = FileManager.default.currentDirectoryPath
    for name in ["~", "~root/x", "results"] { #expect(FolderOwner.place(name) == current + "/" + name) }
    #expect(FolderOwner.place("/a/../b") == "/b")
    #expect(FolderOwner.place("/../b") == "/b")
  }

  @Test func twoDotsBehindALinkLeadToTheFolderOfItsTarget() throws {
    let files = FileManager.default
    try files.createDirectory(atPath: folder.path + "/deep/target", withIntermediateDirectories: true)
    try files.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: "deep/target")
    let place = FolderOwner.place(folder.path + "/link/../results")
    try files.createDirectory(atPath: place, withIntermediateDirectories: false)
    #expect(files.fileExists(atPath: folder.path + "/deep/results"))
    #expect(FolderOwner.place(folder.path + "/link/results").hasSuffix("/link/results"))
  }

  @Test func aPathInWhichNoStoreCanBeOpenedIsRefusedBeforeAnythingIsMade() throws {
    let part = String(repeating: "x", count: 200)
    #expect(try refusal { _ = try FolderOwner(of: "\(folder.path)/\(part)/\(part)") }.contains("Choose a shorter path"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test func anOwnerThatIsReleasedIsNone() throws {
    do { _ = try FolderOwner(of: folder.path) }
    #expect(try FolderOwner(of: folder.path).takeover == nil)
  }

  @Test(arguments: [
    (ENOSPC, "Make room on its disk and run again"), (EMFILE, "Let this process have more open files: ulimit -n"),
    (EACCES, "elsewhere"), (EEXIST, "Choose a name that no file has"),
  ]) func adviceFitsTheReason(code: CInt, advice: String) {
    #expect(ReportingError.remedy(code, "elsewhere") == advice)
    let error = NSError(
      domain: NSCocoaErrorDomain, code: 4,
      userInfo: [NSUnderlyingErrorKey: NSError(domain: NSPOSIXErrorDomain, code: Int(code))])
    #expect(ReportingError.remedy(error, "elsewhere") == advice)
    let written = ReportingError(writing: "x", error)
    #expect(written.cause == "cannot be written: \(String(cString: strerror(code)))")
    #expect(written.remedy == ReportingError.remedy(code, "Choose a folder that exists and is writable"))
  }
}
