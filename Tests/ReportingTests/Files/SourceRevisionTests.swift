import Testing

@testable import Reporting

struct SourceRevisionTests {
  @Test func followsTheBranchThatIsCheckedOut() throws {
    let folder = try TemporaryFolder()
    try folder.write("ref: refs/heads/main\n", to: ".git/HEAD")
    try folder.write("1234abcd\n", to: ".git/refs/heads/main")
    #expect(SourceRevision.find(from: folder.path + "/.build/release/contextbench") == "1234abcd")
  }

  @Test func readsPackedBranches() throws {
    let folder = try TemporaryFolder()
    try folder.write("ref: refs/heads/main\n", to: ".git/HEAD")
    try folder.write("# pack-refs\naaaa refs/heads/mainline\nbbbb refs/heads/main\n", to: ".git/packed-refs")
    #expect(SourceRevision.find(from: folder.path) == "bbbb")
  }

  @Test func readsADetachedHead() throws {
    let folder = try TemporaryFolder()
    try folder.write("cccc\n", to: ".git/HEAD")
    #expect(SourceRevision.find(from: folder.path) == "cccc")
  }

  @Test func followsAWorkTreeToItsRepository() throws {
    let folder = try TemporaryFolder()
    try folder.write("gitdir: ../repository/worktrees/tree\n", to: "tree/.git")
    try folder.write("ref: refs/heads/topic\n", to: "repository/worktrees/tree/HEAD")
    try folder.write("../..\n", to: "repository/worktrees/tree/commondir")
    try folder.write("dddd\n", to: "repository/refs/heads/topic")
    #expect(SourceRevision.find(from: folder.path + "/tree/x") == "dddd")
  }

  @Test func thereIsNoRevisionOutsideARepository() {
    #expect(SourceRevision.find(from: "/proc/self") == nil)
  }
}
