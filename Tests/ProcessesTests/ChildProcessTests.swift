import Foundation
import LMDB
import Processes
import TestSupport
import Testing

/// The start, environment and end of child processes.
@Suite struct ChildProcessTests {
  /// Returns the lines that a shell command writes.
  private func lines(
    _ command: String, environment: [String: String] = [:], in folder: String? = nil
  ) throws -> [String] {
    let output = Pipe()
    let child = try ChildProcess(
      "/bin/sh", ["-c", command], environment: environment, in: folder, input: .nothing,
      output: .pipe(output), errors: .pipe(output))
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    #expect(child.waitForEnd() == .status(0))
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test(arguments: [
    ("exit 0", ChildProcess.End.status(0)), ("exit 7", .status(7)), ("exit 255", .status(255)),
    ("kill -9 $$", .signal(9)), ("kill -15 $$", .signal(15)),
  ])
  func end_isWhatItWas(command: String, end: ChildProcess.End) async throws {
    let child = try ChildProcess("/bin/sh", ["-c", command])
    #expect(await child.ended() == end)
    #expect(child.end == end)
    #expect(child.waitForEnd() == end)
  }

  @Test func program_thatIsNotThere_isNotBegun() throws {
    let path = try TemporaryFolder().path(of: "nothing")
    let error = #expect(throws: LMDBError.self) { try ChildProcess(path) }
    #expect(error?.code == .system(ENOENT))
    #expect(error?.subject == "begin \(path)")
  }

  @Test func surroundings_areWhatIsSaid() throws {
    let folder = try TemporaryFolder()
    let said = try lines(
      "pwd -P; echo $WORD; echo $HOME; cat", environment: ["WORD": "two words"], in: folder.path)
    let home = ProcessInfo.processInfo.environment["HOME"] ?? ""
    #expect(said == [URL(filePath: folder.path).resolvingSymlinksInPath().path, "two words", home])
  }

  @Test func input_endsWhereItIsClosed() throws {
    let (input, output) = (Pipe(), Pipe())
    let child = try ChildProcess("/bin/cat", input: .pipe(input), output: .pipe(output))
    try input.fileHandleForWriting.write(contentsOf: Data("word".utf8))
    try input.fileHandleForWriting.close()
    #expect(try output.fileHandleForReading.readToEnd() == Data("word".utf8))
    #expect(child.waitForEnd() == .status(0))
  }

  /// A child inherits no pipes of other children, nor any other open file.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd")))
  func openFiles_areThree() throws {
    let others = (0..<20).map { _ in Pipe() }
    // The listing has its own folder open as well.
    let said = try lines("exec ls /proc/self/fd")
    withExtendedLifetime(others) { #expect(said == ["0", "1", "2", "3"]) }
  }

  /// A child has default signals, though pool threads block some and the parent may ignore some.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status")))
  func signals_doWhatTheyDo() throws {
    let before = signal(SIGUSR2, SIG_IGN)
    defer { _ = signal(SIGUSR2, before) }
    let said = try lines("grep -E '^Sig(Blk|Ign)' /proc/self/status")
    let masks = said.map { $0.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) } }
    // The C library uses the higher signals itself.
    #expect(masks.map { $0.map { $0 & 0x7FFF_FFFF } } == [0, 0], "\(said)")
  }

  @Test func signal_reachesTheGroup() async throws {
    let output = Pipe()
    let child = try ChildProcess(
      "/bin/sh", ["-c", "sleep 600 & echo $!; wait"], output: .pipe(output))
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    #expect(Int32(line.trimmingCharacters(in: .newlines)) != nil)
    child.signal(SIGTERM)
    #expect(await child.ended() == .signal(SIGTERM))
    // The pipe's write end closes only after the grandchild is gone as well.
    #expect(try output.fileHandleForReading.readToEnd() == nil)
    child.signal(SIGTERM)
  }

  /// Waiting for one process does not wait for another.
  @Test func ends_ofMany_areTheirOwn() async throws {
    let long = try ChildProcess("/bin/sh", ["-c", "sleep 600"])
    defer { long.signal(SIGKILL) }
    await withTaskGroup(of: Bool.self) { group in
      for status in 0..<40 {
        group.addTask {
          let child = try? ChildProcess("/bin/sh", ["-c", "exit \(status)"])
          return await child?.ended() == .status(CInt(status))
        }
      }
      for await isRight in group { #expect(isRight) }
    }
    #expect(long.end == nil)
  }
}
