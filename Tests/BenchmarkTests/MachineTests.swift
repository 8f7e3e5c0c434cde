import BenchmarkHarness
import Testing

struct MachineTests {
  private let mounts = """
    /dev/vda / ext4 rw 0 0
    proc /proc proc rw 0 0
    tmpfs /tmp tmpfs rw 0 0
    /dev/vdb /tmp/disk xfs rw 0 0
    overlay /tmp/disk overlay rw 0 0
    broken
    """

  @Test(arguments: [
    ("/", "ext4"), ("/home/me", "ext4"), ("/tmp", "tmpfs"), ("/tmp/x/y", "tmpfs"),
    ("/tmpx", "ext4"), ("/tmp/disk/a", "overlay"), ("/proc", "proc"),
  ])
  func folder_liesOnTheDeepestAndLastMount(path: String, type: String) {
    #expect(Machine.fileSystem(of: path, mounts: mounts) == type)
  }

  @Test func noMounts_noFileSystem() {
    #expect(Machine.fileSystem(of: "/", mounts: "") == nil)
  }

  @Test func namedValues_areFoundInTheirLine() {
    let file = ProcessFile(text: "rchar: 1\nwchar: 22\nAnonymous:   1444 kB\nmodel name\t: A: B\n")
    #expect(file.number(after: "wchar:") == 22)
    #expect(file.number(after: "Anonymous:") == 1444)
    #expect(file.value(after: "model name") == ": A: B")
    #expect(file.number(after: "absent:") == nil)
    #expect(ProcessFile("/no/such/file").value(after: "") == nil)
  }
}
