import BenchmarkHarness
import BenchmarkPeers
import EventStore
import Foundation
import Processes

/// How large the views become while a process that was stopped holds on to what it read first.
enum Holding {
  /// The most bytes of the views at any time, against those where nobody holds on to anything.
  static let growth = 2.0

  static let workload = Workload(
    "held", "the most that the views took while items came in", smoke: 10_000, real: 200_000,
    rounds: 3
  ) { setting in
    let mailbox = Mailbox(count: setting.size)
    let height = Metric.amount(unit: "KiB")
    return [
      Case("no reader", Claim(height)) { round in
        try await take(mailbox, round, isHeld: false)
      },
      Case("a stopped reader", Claim(height, against: "no reader", .ratioAtMost(growth))) { round in
        try await take(mailbox, round, isHeld: true)
      },
    ]
  }

  /// Takes in all items; a tenth of them before the other process begins to read.
  private static func take(
    _ mailbox: Mailbox, _ round: Round, isHeld: Bool
  ) async throws -> Sample {
    let store = try await MailStore.open(round.folder)
    let (payload, batches) = (MailPayload(), MailSizes.batches(mailbox.count))
    var (height, reader): (Int, ChildProcess?) = (0, nil)
    for (index, numbers) in batches.enumerated() {
      try await store.append(MailStore.batch(mailbox, numbers, payload))
      if index == batches.count / 10 {
        try await store.commitViews()
        if isHeld { reader = try Role.holdStore.start(round.folder, "\(mailbox.count)").process }
      }
      if index % 16 == 0 { height = max(height, bytes(of: round.folder + "/views")) }
    }
    try await store.commitViews()
    height = max(height, bytes(of: round.folder + "/views"))
    let count = try store.read { try $0.count(of: MailReducer.groups) }
    reader?.signal(SIGKILL)
    await store.close()
    return Sample(amount: Double(height) / 1024, digest: UInt64(count))
  }

  /// The bytes of the files in a folder and those within it.
  private static func bytes(of folder: String) -> Int {
    let files = FileManager.default.enumerator(
      at: URL(filePath: folder), includingPropertiesForKeys: [.fileSizeKey])
    return (files?.allObjects ?? []).reduce(0) { sum, file in
      let size = try? (file as? URL)?.resourceValues(forKeys: [.fileSizeKey])
      return sum + (size?.fileSize ?? 0)
    }
  }
}

extension Role {
  /// Reads, says so, and stops in the middle of that.
  static func holdStore(_ folder: String, _ count: Int) async throws {
    let store = try await MailStore.open(folder)
    try store.read { snapshot in
      guard try snapshot.count(of: MailReducer.groups) > 0 else {
        throw Failure(role: .holdStore, end: .status(1))
      }
      print("reading")
      fflush(nil)
      raise(SIGSTOP)
    }
  }
}
