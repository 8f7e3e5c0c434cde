import EventStore
import Foundation
import TestSupport
import Testing

/// Disks that fill up or break while a log is written.
@Suite(
  .enabled(if: Faults.areAvailable, "making a disk fail takes a C compiler and Linux"),
  .timeLimit(.minutes(5)))
struct FaultTests {
  let folder: TemporaryFolder
  let faults: Faults

  init() throws { (folder, faults) = (try TemporaryFolder(), try Faults()) }

  private func worker() async throws -> Worker {
    let worker = try Worker(faults.surroundings)
    #expect(try await worker.ask("open \(folder.path)").first?.isNumber == true)
    return worker
  }

  /// Whichever page the space runs out at, the batch is there as a whole or not at all.
  @Test(arguments: ["full", "relaxed"])
  func disk_full_thenNot(durability: String) async throws {
    let worker = try await worker()
    var expected = 0
    for space in stride(from: 2000, through: 40_000, by: 4096) {
      try faults.setSpace(space)
      while true {
        let answer = try await worker.ask("append \(durability) n\(expected + 1) 9000")
        guard answer != "error diskFull" else { break }
        expected += 1
        try #require(answer == "\(expected)", "with \(space) bytes left")
      }
      #expect(try await worker.ask("last") == "\(expected)")
      #expect(try await worker.ask("check") == "done")
      try faults.setSpace(nil)
      expected += 1
      let answer = try await worker.ask("append \(durability) n\(expected) 9000")
      #expect(answer == "\(expected)", "after there were \(space) bytes left")
    }
    let texts = (1...expected).map { "n\($0)" }.joined(separator: " ")
    #expect(try await worker.ask("texts") == "\(expected) \(texts)")
    #expect(try await worker.ask("close") == "done")
    #expect(try await worker.ask("open \(folder.path)") == "\(expected)")
    #expect(try await worker.ask("check") == "done")
  }

  /// If the space runs out at the very page that completes a commit, that commit is in doubt.
  @Test(arguments: ["full", "relaxed"])
  func disk_fullForTheMetaPage(durability: String) async throws {
    let worker = try await worker()
    var (expected, doubts) = (0, 0)
    for pages in 1...8 {
      try faults.setSpace(pages * 4096)
      let answer = try await worker.ask("append \(durability) n 9000")
      try faults.setSpace(nil)
      guard answer == "error failed" else {
        expected += answer == "error diskFull" ? 0 : 1
        let next = try await worker.ask("append full n 10")
        try #require(next == "\(expected + 1)", "after \(answer) with \(pages) pages left")
        expected += 1
        continue
      }
      doubts += 1
      #expect(try await worker.ask("append full n 10") == "error failed")
      #expect(try await worker.ask("close") == "done")
      let last = try #require(Int(try await worker.ask("open \(folder.path)")))
      #expect(expected...(expected + 1) ~= last)
      #expect(try await worker.ask("check") == "done")
      expected = last
    }
    #expect(doubts > 0)
    #expect(try await worker.ask("append full n 10") == "\(expected + 1)")
  }

  @Test func flush_failed_nothingIsAcknowledgedUntilReopened() async throws {
    let worker = try await worker()
    for index in 1...4 { #expect(try await worker.ask("append full n\(index) 10") == "\(index)") }
    #expect(try await worker.ask("show n5") == "shown")
    try faults.failFlush()
    #expect(try await worker.ask("append full lost 10") == "error failed")
    #expect(!faults.isFlushAwaited)
    for durability in ["full", "relaxed"] {
      #expect(try await worker.ask("append \(durability) lost 10") == "error failed")
    }
    #expect(try await worker.ask("show lost") == "error failed")
    #expect(try await worker.ask("flush") == "error failed")
    #expect(try await worker.ask("texts").hasPrefix("5 n1 n2 n3 n4 n5"), "it can still be read")
    #expect(try await worker.ask("close") == "done")

    #expect(try await worker.ask("open \(folder.path)") == "5")
    #expect(try await worker.ask("check") == "done")
    #expect(try await worker.ask("append full n6 10") == "6")
    #expect(try await worker.ask("texts") == "6 n1 n2 n3 n4 n5 n6")
  }

  /// Relaxed appends are flushed later; if that fails, later appends report it.
  @Test func flush_failedLater_nothingMoreIsAcknowledged() async throws {
    let worker = try await worker()
    try faults.failFlush(after: 1)
    #expect(try await worker.ask("append relaxed n1 10") == "1")
    while faults.isFlushAwaited { try await Task.sleep(for: .milliseconds(10)) }
    #expect(try await worker.ask("append full lost 10") == "error failed")
    #expect(try await worker.ask("close") == "done")
    #expect(try await worker.ask("open \(folder.path)") == "1")
    #expect(try await worker.ask("append full n2 10") == "2")
    #expect(try await worker.ask("texts") == "2 n1 n2")
  }
}
