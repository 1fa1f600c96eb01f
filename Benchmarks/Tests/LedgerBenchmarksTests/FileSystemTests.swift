import LedgerBenchmarks
import Testing

@Suite struct FileSystemTests {
  private let mounts = """
    /dev/vda / ext4 rw,relatime 0 0
    tmpfs /tmp tmpfs rw 0 0
    /dev/vdb /var xfs rw 0 0
    tmpfs /var tmpfs rw 0 0
    /dev/vdc /var/tmp btrfs rw 0 0

    """

  @Test(arguments: [
    ("/home/user", "ext4"), ("/", "ext4"), ("/tmp", "tmpfs"), ("/tmp/a", "tmpfs"),
    // Not below /tmp, however its name begins.
    ("/tmporary", "ext4"), ("/var/tmp/b", "btrfs"),
    // What was mounted last lies on top.
    ("/var/lib", "tmpfs"),
  ])
  func theDeepestMountThatHoldsThePath(path: String, type: String) {
    #expect(FileSystem(of: path, mounts: mounts)?.type == type)
  }

  @Test func whatHasNoDiskIsKnown() {
    #expect(FileSystem(of: "/tmp", mounts: mounts)?.isMemory == true)
    #expect(FileSystem(of: "/", mounts: mounts)?.isMemory == false)
    #expect(FileSystem(of: "/", mounts: "") == nil)
  }
}
