import EventStore
import Foundation
import LMDB
import Processes
import Tideline
import TidelineServer
import TidelineSync

/// The first sync: one process is killed in the middle, and another continues.
extension DemoStage {
  /// Starts a separate process that syncs the mail, and kills it in the middle.
  func crash() async throws {
    try title("A process fetches the mail for the first time")
    let output = Pipe()
    let process = try ChildProcess(
      Bundle.main.executablePath ?? CommandLine.arguments[0],
      [
        "sync", folder, "--mail", server.address, "--rich", server.address, "--as", "me",
        "--token", plan.token.value, "--once", "--progress",
      ], output: .pipe(output))
    try await watch(process, output.fileHandleForReading)
    try tell("", "  kill -9: the process dies in the middle of it")
  }

  /// Shows a process's progress for the first third and then kills it, even if showing fails.
  private func watch(_ process: ChildProcess, _ output: FileHandle) async throws {
    defer {
      process.signal(SIGKILL)
      process.waitForEnd()
    }
    let bar = ProgressBar("messages", of: total)
    var last = 0
    for await line in output.arrivingLines {
      last = Int(line) ?? last
      try bar.show(last)
      if last > total / 3 { break }
    }
  }

  /// The number of messages on the mail server.
  private var total: Int { server.withRouter { router, _ in router.messageCount } }

  /// Opens what the process left, and continues.
  func recover(_ store: InboxStore, _ cast: DemoCast) async throws {
    try title("Another process opens what it left, and continues")
    try tell(
      "  here after the crash: \(try cast.progress())", "  \(try await store.verify().line)")
    for sync in cast.syncs { sync.start() }
    let bar = ProgressBar("messages", of: total)
    let shown = Task {
      while !Task.isCancelled {
        try bar.show(try SyncProgress(of: cast.mail.inbox).messages)
        try await Task.sleep(for: .milliseconds(20))
      }
    }
    try await cast.catchUp()
    shown.cancel()
    try bar.show(total)
    try tell("  here now: \(try cast.progress())")
  }
}

extension FileHandle {
  /// The lines written at the other end, until it is closed.
  fileprivate var arrivingLines: AsyncStream<Substring> {
    let (lines, feed) = AsyncStream<Substring>.makeStream()
    _ = WorkerThread {
      var rest = ""
      while let data = try? self.read(upToCount: 1), !data.isEmpty {
        rest += String(decoding: data, as: UTF8.self)
        guard rest.hasSuffix("\n") else { continue }
        feed.yield(rest.dropLast())
        rest = ""
      }
      feed.finish()
    }
    return lines
  }
}
