import Testing

@testable import Measuring

struct FileSystemTests {
  static let mounts = """
    22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
    23 22 0:5 / /tmp rw - tmpfs tmpfs rw,size=1g
    24 22 0:6 / /tmp/with\\040blank rw - xfs /dev/vdb rw
    25 22 0:7 / /tmpfoo rw master:2 propagate_from:3 - btrfs /dev/vdc rw
    26 22 0:8 / /data rw - ext3 /dev/vdd rw
    27 22 0:9 / /data rw - zfs pool rw
    """

  @Test(arguments: [
    ("/home/x", "ext4"), ("/tmp", "tmpfs"), ("/tmp/y/z", "tmpfs"), ("/tmp/with blank/file", "xfs"),
    ("/tmpfoo/a", "btrfs"), ("/tmpfooo", "ext4"), ("/data/store", "zfs"),
  ])
  func theLongestMountPointHoldsThePath(path: String, expected: String) {
    #expect(FileSystem.type(ofPath: path, mounts: Self.mounts) == expected)
  }

  @Test func knowsWhereProcIs() {
    #expect(FileSystem.type(ofPath: "/proc/self") == "proc")
    #expect(FileSystem.type(ofPath: "/no/such/folder") == nil)
  }
}
