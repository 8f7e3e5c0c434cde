import EventStore
import Foundation
import TestSupport
import Testing
import ToyDomains

/// Disks that fill up or break while a store writes.
@Suite(
  .enabled(if: Faults.areAvailable, "making a disk fail takes a C compiler and Linux"),
  .timeLimit(.minutes(5)))
struct StoreFaultTests {
  let folder: TemporaryFolder
  let faults: Faults

  init() throws { (folder, faults) = (try TemporaryFolder(), try Faults()) }

  private func worker(_ opening: String = "") async throws -> Worker {
    var surroundings = faults.surroundings
    surroundings.program = "StoreWorker"
    let worker = try Worker(surroundings)
    #expect(try await worker.ask("open \(folder.path) \(opening)") == "done")
    return worker
  }

  /// A reset takes back what was shown already, and nothing of it stays.
  ///
  /// Many records may not have been shown, since the views' thread reduces them meanwhile. Whoever
  /// waits for a few to be visible may hear of the failure first; the reset tells.
  @Test(arguments: [5, 200]) func log_fullAfterDelivery_isTakenBack(count: Int) async throws {
    let worker = try await worker()
    #expect(try await worker.ask("append 1 40") == "40")
    #expect(try await worker.ask("commit") == "done")
    #expect(try await worker.ask("watch") == "done")
    try faults.limitSpace(to: "/log/")
    try faults.setSpace(0)
    let answer = try await worker.ask("submit 2 \(count)")
    #expect(answer.hasSuffix("error diskFull"), "\(answer)")
    if count <= 32 { try await expectSeen(worker, "same, 1 resets") }
    #expect(try await worker.ask("append 3 \(count)") == "error diskFull")
    if count <= 32 {
      try await expectSeen(worker, "same, 2 resets")
      #expect(try await worker.ask("setbacks") == "2")
    }
    try faults.setSpace(nil)
    #expect(try await worker.ask("append 4 \(count)") == "\(40 + count)")
    if count <= 32 { try await expectSeen(worker, "same, 2 resets") }
    #expect(try await worker.ask("failure") == "none")
    try await expectSoundAfterReopening(worker)
  }

  /// Of batches shown in quick succession, all that did not get into the log are taken back.
  @Test func log_full_takesBackAllThatWereShown() async throws {
    let worker = try await worker()
    #expect(try await worker.ask("append 1 40") == "40")
    #expect(try await worker.ask("commit") == "done")
    #expect(try await worker.ask("watch") == "done")
    try faults.limitSpace(to: "/log/")
    try faults.setSpace(0)
    let answer = try await worker.ask("hurry 2 30")
    #expect(answer.hasSuffix("error diskFull"), "\(answer)")
    try await expectSeen(worker)
    #expect(try await worker.ask("last") == "40")
    try faults.setSpace(nil)
    // While the views go back, nothing is shown ahead of the log.
    var (last, shown, seed) = (40, "few", 2)
    while shown == "few" {
      (last, seed) = (last + 30, seed + 1)
      let answer = try await worker.ask("hurry \(seed) 30")
      shown = String(answer.prefix { $0 != "," })
      #expect(answer == "\(shown), \(last)")
      if shown == "few" { try await Task.sleep(for: .milliseconds(10)) }
    }
    #expect(shown == "many")
    try await expectSeen(worker)
    #expect(try await worker.ask("failure") == "none")
    try await expectSoundAfterReopening(worker)
  }

  /// The content of the log is shown all the time, however far the views have to go back.
  @Test func log_full_takesBackNothingElse() async throws {
    let worker = try await worker("lasting")
    #expect(try await worker.ask("append 1 3000") == "3000")
    try faults.limitSpace(to: "/log/")
    try faults.setSpace(0)
    #expect(try await worker.ask("lose 2 1") == "3000")
    #expect(try await worker.ask("check") == "same")
  }

  /// After a failed flush it is unknown what reached the medium, so the log accepts nothing more.
  ///
  /// Closing does not wait for a flush that never comes.
  @Test(arguments: ["", " relaxed"]) func flush_failed(durability: String) async throws {
    let worker = try await worker()
    #expect(try await worker.ask("append 1 40") == "40")
    #expect(try await worker.ask("watch") == "done")
    try faults.failFlush(after: durability.isEmpty ? 0 : 1)
    let answer = try await worker.ask("append 2 3\(durability)")
    #expect(answer == (durability.isEmpty ? "error failed" : "43"))
    while faults.isFlushAwaited { try await Task.sleep(for: .milliseconds(10)) }
    #expect(try await worker.ask("append 3 3") == "error failed")
    try await expectSeen(worker)
    #expect(try await worker.ask("hurry 4 3").hasSuffix("error failed"))
    try await expectSeen(worker)
    #expect(try await worker.ask("commit") == "error failed")
    #expect(try await worker.ask("suspend") == "done")
    #expect(try await worker.ask("resume") == "done")
    try await expectSeen(worker)
    #expect(Int(try await worker.ask("append 5 3")) != nil)
    try await expectSeen(worker)
    try await expectSoundAfterReopening(worker)
  }

  /// A log fails while relaxed records wait for their flush.
  @Test func flush_failedUnderRelaxed_closes() async throws {
    let worker = try await worker()
    #expect(try await worker.ask("append 1 40 relaxed") == "40")
    try faults.failFlush()
    #expect(try await worker.ask("append 2 3") == "error failed")
    #expect(try await worker.ask("check") == "same")
    try await expectSoundAfterReopening(worker)
  }

  /// The views are shown even if the log can't take back that they are on the medium.
  ///
  /// Views that lag are not written then, and so are still trusted.
  @Test(arguments: [0, 3]) func log_fullOnOpening_showsTheViews(after count: Int) async throws {
    let worker = try await worker()
    #expect(try await worker.ask("append 1 40") == "40")
    #expect(try await worker.ask("close") == "done")
    if count > 0 { try await append(count) }
    try faults.limitSpace(to: "/log/")
    try faults.setSpace(0)
    #expect(try await worker.ask("open \(folder.path)") == "done")
    #expect(try await worker.ask("watch") == "done")
    if count > 0 { #expect(try await worker.ask("commit").hasPrefix("error")) }
    #expect(try await worker.ask("append 2 3") == "error diskFull")
    try await expectSeen(worker)
    try faults.setSpace(nil)
    #expect(try await worker.ask("append 3 3") == "\(43 + count)")
    let answer = try await worker.ask("commit")
    #expect(answer.hasPrefix("error") == (count > 0), "\(answer)")
    try await expectSoundAfterReopening(worker)
  }

  /// Appends `count` events to the log alone, without the views.
  private func append(_ count: Int) async throws {
    var generator = SeededGenerator(seed: 9)
    let log = try await Log.open(at: folder.path(of: "log"))
    try await log.append(Batch((0..<count).map { _ in TodoMix().happening(using: &generator) }))
    await log.close()
  }

  /// The log goes on, the store reports the failure, and opening it again repairs it.
  @Test(arguments: ["suspend", "close"]) func views_full(leaving: String) async throws {
    let worker = try await worker()
    #expect(try await worker.ask("append 1 40") == "40")
    #expect(try await worker.ask("watch") == "done")
    try faults.limitSpace(to: "/views/")
    try faults.setSpace(0)
    #expect(try await worker.ask("append 2 40") == "80")
    #expect(try await worker.ask("commit") == "error views of store")
    #expect(try await worker.ask("failure") == "views of store")
    #expect(try await worker.ask("append 3 40") == "120")
    #expect(try await worker.ask("append 4 300 relaxed") == "420")
    try faults.setSpace(nil)
    guard leaving == "suspend" else { return try await expectSoundAfterReopening(worker) }
    #expect(try await worker.ask("suspend") == "done")
    #expect(try await worker.ask("resume") == "done")
    #expect(try await worker.ask("failure") == "none")
    #expect(try await worker.ask("seen").hasPrefix("same"))
    try await expectSoundAfterReopening(worker)
  }

  /// Whichever single call that writes the log or the views fails, nothing wrong is shown, and
  /// everything acknowledged is kept.
  ///
  /// Takes some seconds, since each call needs a process.
  @Test(arguments: ["/log/", "/views/"]) func anyCall_failedOnce(of files: String) async throws {
    var (count, isStruck) = (0, true)
    while isStruck {
      let folder = try TemporaryFolder()
      isStruck = try await haveCallFail(after: count, of: files, in: folder.path)
      count += 1
    }
    #expect(count > 12, "only \(count) calls write \(files)")
  }

  /// Returns whether such a call took place.
  private func haveCallFail(
    after count: Int, of files: String, in folder: String
  ) async throws -> Bool {
    var surroundings = faults.surroundings
    surroundings.program = "StoreWorker"
    let worker = try Worker(surroundings)
    var acknowledged = 0
    func append(_ words: String) async throws {
      acknowledged = max(acknowledged, Int(try await worker.ask("append \(words)")) ?? 0)
    }
    try faults.failCall(after: count, to: files)
    let isOpen = try await worker.ask("open \(folder)") == "done"
    if isOpen {
      try await append("1 40")
      // Views that can't be written are not shown, and say so; a frame may have ended before.
      let watched = try await worker.ask("watch")
      #expect(watched == "done" || watched.hasPrefix("error views"), "call \(count)")
      _ = try await worker.ask("commit")
      try await append("2 40 relaxed")
      try await append("3 300")
      _ = try await worker.ask("commit")
      let seen = try await worker.ask("seen")
      if watched == "done", !seen.hasPrefix("error views") { try await expectSeen(worker) }
    }
    let isStruck = faults.endCallFailure()
    if isOpen { #expect(try await worker.ask("close") == "done", "call \(count)") }
    #expect(try await worker.ask("open \(folder)") == "done", "call \(count)")
    #expect(try await worker.ask("check") == "same", "call \(count)")
    let last = Int(try await worker.ask("last"))
    #expect(try #require(last) >= acknowledged, "call \(count)")
    #expect(try await worker.ask("append 9 9") == "\((last ?? 0) + 9)", "call \(count)")
    await worker.killed()
    return isStruck
  }

  /// The space ends at any page of a frame, or while the views are rebuilt.
  @Test func views_fullAtAnyPage() async throws {
    let worker = try await worker()
    try faults.limitSpace(to: "/views/")
    for pages in stride(from: 1, to: 60, by: 4) {
      try faults.setSpace(pages * 4096)
      _ = try await worker.ask("append \(pages) 30")
      _ = try await worker.ask("commit")
      #expect(try await worker.ask("close") == "done")
      try FileManager.default.removeItem(atPath: folder.path + "/views")
      let answer = try await worker.ask("open \(folder.path)")
      if answer == "done" { #expect(try await worker.ask("close") == "done") }
      try faults.setSpace(nil)
      #expect(try await worker.ask("open \(folder.path)") == "done", "after \(answer)")
      #expect(try await worker.ask("check") == "same", "after \(answer)")
    }
  }

  /// Closing right after a relaxed append waits neither for the clock nor forever.
  @Test func close_afterRelaxed_commits() async throws {
    let worker = try await worker()
    #expect(try await worker.ask("append 1 3 relaxed") == "3")
    try await expectSoundAfterReopening(worker)
  }

  /// Checks that told changes lead to what is shown, once views that must go back have gone back.
  private func expectSeen(_ worker: Worker, _ expected: String = "same") async throws {
    var answer = try await worker.ask("seen")
    while !answer.hasPrefix(expected) {
      do { try await Task.sleep(for: .milliseconds(10)) } catch {
        Issue.record("\(answer), and not \(expected)")
        throw error
      }
      answer = try await worker.ask("seen")
    }
  }

  private func expectSoundAfterReopening(_ worker: Worker) async throws {
    #expect(try await worker.ask("close") == "done")
    #expect(try await worker.ask("open \(folder.path)") == "done")
    #expect(try await worker.ask("check") == "same")
    #expect(Int(try await worker.ask("append 9 9")) != nil)
    #expect(try await worker.ask("check") == "same")
    #expect(try await worker.ask("failure") == "none")
    #expect(try await worker.ask("close") == "done")
  }
}
