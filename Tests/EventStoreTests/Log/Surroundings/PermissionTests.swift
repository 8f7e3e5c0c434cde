import EventStore
import Foundation
import TestSupport
import Testing

/// Folders, files and volumes that may not be written, or not even read.
@Suite(.timeLimit(.minutes(5))) struct PermissionTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func makeLog() async throws {
    let log = try await Log.open(at: folder.path)
    try await log.append(.of("a"))
    await log.close()
  }

  private func setMode(_ mode: Int, _ path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  /// Starts a worker without the rights of the superuser, to whom everything is permitted.
  private func worker() async throws -> Worker {
    let worker = try Worker()
    if getuid() == 0 { #expect(try await worker.ask("become 65534") == "done") }
    return worker
  }

  @Test func folder_notWritable() async throws {
    try setMode(0o555, folder.path)
    #expect(try await worker().ask("open \(folder.path)") == "error notPermitted")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    try setMode(0o755, folder.path)
  }

  @Test func folder_notReadable() async throws {
    try setMode(0, folder.path)
    #expect(try await worker().ask("open \(folder.path)") == "error notPermitted")
    try setMode(0o755, folder.path)
  }

  @Test(arguments: [0, 0o444])
  func file_notWritable(mode: Int) async throws {
    try await makeLog()
    let file = folder.path(of: "data.mdb")
    let before = try Data(contentsOf: URL(fileURLWithPath: file))
    try setMode(mode, file)
    #expect(try await worker().ask("open \(folder.path)") == "error notPermitted")
    try setMode(0o600, file)
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
  }

  /// Whether a volume can be mounted read-only, which takes namespaces and superuser rights.
  private static let canMount =
    (try? Program.named.run(wrapper(readOnly: "/tmp") + ["true"], takesErrors: true))
    .map { $0.failure == nil } ?? false

  private static func wrapper(readOnly path: String) -> [String] {
    let script = "mount --bind $0 $0 && mount -o remount,bind,ro $0 && exec $1"
    return ["unshare", "-m", "sh", "-c", script, path]
  }

  @Test(.enabled(if: canMount, "a volume for reading only takes the right to mount one"))
  func volume_forReadingOnly() async throws {
    try await makeLog()
    let worker = try Worker(.init(wrapper: Self.wrapper(readOnly: folder.path)))
    #expect(try await worker.ask("open \(folder.path)") == "error readOnly")
    #expect(try await worker.ask("open \(folder.path) readOnly") == "1")
    #expect(try await worker.ask("texts") == "1 a")
    #expect(try await worker.ask("append full b 0") == "error readOnly")
    #expect(try await worker.ask("check") == "done")
    #expect(try await worker.ask("close") == "done")
  }
}
