import EventStore
import Foundation
import LMDB
import Processes
import TestSupport
import Testing

/// Signals that ask a command to end: every command ends cleanly and reports the signal.
@Suite(.timeLimit(.minutes(10))) struct EndingTests {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func made(_ name: String) async throws -> String {
    let path = try folder.made(name)
    try await CameBackUnread.make(in: path)
    return path
  }

  /// The outcome of a command that runs until it is interrupted.
  private static func lasting(_ signal: CInt) -> Tideline.Outcome {
    .init(status: signal == SIGINT ? 0 : 128 + signal)
  }

  @Test(arguments: signals) func serve(_ signal: CInt) async throws {
    let server = try Tideline(["serve", "--threads", "5", "--rich", "0"])
    #expect(await server.next()?.hasPrefix("http://") == true)
    server.signal(signal)
    #expect(try await server.ended() == Self.lasting(signal))
  }

  @Test(arguments: signals) func follow(_ signal: CInt) async throws {
    let path = try await made("phone")
    let following = try Tideline(["log", path, "--follow", "--from", "2", "--kind", "MarkRead"])
    _ = await following.next()
    following.signal(signal)
    let outcome = try await following.ended()
    #expect(outcome.status == Self.lasting(signal).status && outcome.errors == [], "\(outcome)")
  }

  /// What was listed before the signal is no complete list.
  @Test(arguments: signals) func list(_ signal: CInt) async throws {
    let path = folder.path(of: "notes")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let log = try await Log.open(at: path)
    let event = Event(kind: EventKind(rawValue: 9999), recordedAt: Timestamp(rawValue: 0))
    for _ in 0..<20 {
      var batch = Batch()
      for _ in 0..<1000 { batch.add(event) }
      try await log.append(batch)
    }
    await log.close()
    // The pipe fills up long before the last record, so the signal finds the list incomplete.
    let listing = try Tideline(["log", path])
    await listing.next(where: { _ in true }) { $0.signal(signal) }
    try await Task.sleep(for: .milliseconds(200))
    let last = await listing.next(where: { $0.hasPrefix(" 20000 ") }) { _ in }
    let outcome = try await listing.ended()
    #expect(outcome.status == 128 + signal && last == nil, "\(outcome)")
    #expect(outcome.errors == ["tideline: \(Self.said[signal] ?? "")"])
  }

  /// The lease is returned, so another process may continue at once.
  @Test(arguments: signals) func sync(_ signal: CInt) async throws {
    let path = folder.path(of: "inbox")
    let words = ["sync", path, "--mail", "http://127.0.0.1:1", "--token", "tideline"]
    let lasting = try Tideline(words)
    while let line = await lasting.next(), !line.contains("can't be reached") {}
    lasting.signal(signal)
    #expect(try await lasting.ended().status == Self.lasting(signal).status)

    let once = try Tideline(words + ["--once"])
    #expect(await once.nextError()?.contains("can't be reached") == true)
    once.signal(signal)
    let outcome = try await once.ended()
    #expect(outcome.status == 128 + signal && outcome.errors.count == 1, "\(outcome)")
    #expect(outcome.errors.first == "tideline: \(Self.said[signal] ?? "")")
  }

  private static let said = [
    SIGINT: "interrupted", SIGTERM: "ended on request", SIGHUP: "ended because the terminal closed",
  ]

  /// The demo leaves no file and no running process.
  @Test(arguments: signals) func demo(_ signal: CInt) async throws {
    let place = try folder.made("temporary")
    let demo = try Tideline(["demo", "--threads", "2000"], environment: ["TMPDIR": place])
    await demo.next(where: { $0.contains("░") }) { $0.signal(signal) }
    let outcome = try await demo.ended()
    #expect(outcome.status == 128 + signal, "\(outcome)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: place) == [])
  }

  /// The shell command that `bisect` runs ends with it.
  @Test(arguments: signals) func bisect(_ signal: CInt) async throws {
    let (path, file) = (try await made("phone"), folder.path(of: "process"))
    let line = "echo $$ > \(file).new; mv \(file).new \(file); sleep 1000; exit 1"
    let search = try Tideline(["bisect", path, "--run", line])
    while !FileManager.default.fileExists(atPath: file) {
      try await Task.sleep(for: .milliseconds(10))
    }
    search.signal(signal)
    #expect(try await search.ended().status == 128 + signal)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let process = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(kill(process, 0) != 0)
  }

  /// A silent pipe doesn't keep its reader from ending.
  @Test(arguments: signals) func importing(_ signal: CInt) async throws {
    let path = try await made("phone")
    let text = try await Tideline.run("export", path).output.joined(separator: "\n")
    let (pipe, errors, copy) = (Pipe(), Pipe(), folder.path(of: "copy"))
    let process = try ChildProcess(
      Products.program("tideline"), ["import", "-", copy],
      input: .pipe(pipe), output: .nothing, errors: .pipe(errors))
    try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8.prefix(1000)))
    while !FileManager.default.fileExists(atPath: copy) {
      try await Task.sleep(for: .milliseconds(10))
    }
    process.signal(signal)
    #expect(await process.ended() == .status(128 + signal))
    #expect(!FileManager.default.fileExists(atPath: copy))
    try pipe.fileHandleForWriting.close()
  }

  /// A command that ignores hang-ups outlives its terminal.
  @Test func hangUp_thatIsIgnored() async throws {
    let (output, tideline) = (Pipe(), try Products.program("tideline"))
    let line = "trap '' HUP; exec \(tideline) serve --threads 5 --rich 0"
    let server = try ChildProcess("/bin/sh", ["-c", line], output: .pipe(output))
    #expect(try output.fileHandleForReading.read(upToCount: 1)?.isEmpty == false)
    server.signal(SIGHUP)
    server.signal(SIGTERM)
    #expect(await server.ended() == .status(128 + SIGTERM))
  }
}
