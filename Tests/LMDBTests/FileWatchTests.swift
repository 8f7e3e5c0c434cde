import Foundation
import LMDB
import Synchronization
import TestSupport
import Testing

/// A write to a file is noticed even when the system sends no notification.
@Suite(.timeLimit(.minutes(5))) struct FileWatchTests {
  @Test(arguments: [true, false]) func writing_isNoticed(isTold: Bool) async throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/file"
    try Data("one".utf8).write(to: URL(fileURLWithPath: path))
    let seen = Mutex<Set<Int>>([])
    let watch = FileWatch(path, isTold: isTold) {
      let count = (try? Data(contentsOf: URL(fileURLWithPath: path)))?.count
      seen.withLock { _ = $0.insert(count ?? 0) }
    }
    let file = try #require(FileHandle(forWritingAtPath: path))
    for count in 4..<8 {
      try file.seekToEnd()
      try file.write(contentsOf: Data("+".utf8))
      while !seen.withLock({ $0.contains(count) }) { try await Task.sleep(for: .milliseconds(1)) }
    }
    watch.stop()
    await onOwnThread { watch.waitForEnd() }
  }

  @Test(arguments: [true, false])
  func writing_duringARest_isReportedAfterIt(isTold: Bool) async throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/file"
    try Data("one".utf8).write(to: URL(fileURLWithPath: path))
    let looks = Mutex(0)
    let watch = FileWatch(
      path, isTold: isTold,
      rest: { looks.withLock { $0 } == 1 ? .milliseconds(20) : .seconds(3600) }
    ) { looks.withLock { $0 += 1 } }
    try await waitUntil { looks.withLock { $0 } >= 1 }
    try write(5, to: path)
    try await waitUntil { looks.withLock { $0 } >= 2 }
    try write(5, to: path)
    // Longer than a watch waits that polls without a rest.
    try await Task.sleep(for: .milliseconds(120))
    #expect(looks.withLock { $0 } == 2)
    // Stopping ends a rest.
    watch.stop()
    await onOwnThread { watch.waitForEnd() }
  }

  private func write(_ count: Int, to path: String) throws {
    let file = try #require(FileHandle(forWritingAtPath: path))
    for _ in 0..<count { try file.write(contentsOf: Data("+".utf8)) }
  }

  private func waitUntil(_ isTrue: () -> Bool) async throws {
    while !isTrue() { try await Task.sleep(for: .milliseconds(1)) }
  }

  @Test func arrival_isNoticed() async throws {
    let folder = try TemporaryFolder()
    let seen = Mutex<[String]>([])
    let watch = FileWatch(folder.path, for: .arrival) {
      let names = (try? Folder(folder.path).names()) ?? []
      seen.withLock { $0 = names }
    }
    for name in ["a", "b"] {
      let part = URL(fileURLWithPath: folder.path(of: "part"))
      try Data(name.utf8).write(to: part)
      try FileManager.default.moveItem(
        at: part, to: URL(fileURLWithPath: folder.path(of: name)))
      while !seen.withLock({ $0.contains(name) }) { try await Task.sleep(for: .milliseconds(1)) }
    }
    watch.stop()
    await onOwnThread { watch.waitForEnd() }
  }

  /// Runs a blocking body on its own thread, because a task must not block.
  private func onOwnThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      _ = WorkerThread {
        body()
        continuation.resume()
      }
    }
  }

  @Test func file_missing_isLookedForAgain() async throws {
    let folder = try TemporaryFolder()
    let looks = Mutex(0)
    let start = ContinuousClock.now
    let watch = FileWatch("\(folder.path)/none") { looks.withLock { $0 += 1 } }
    while looks.withLock({ $0 < 3 }) { try await Task.sleep(for: .milliseconds(1)) }
    #expect(ContinuousClock.now - start >= .milliseconds(95))
    watch.stop()
  }
}
