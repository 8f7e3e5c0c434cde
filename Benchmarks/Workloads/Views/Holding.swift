import BenchmarkHarness
import BenchmarkPeers
import EventStore
import Foundation
import Processes

/// The growth of the views while a stopped process holds an old snapshot.
enum Holding {
  /// The maximum ratio of the views' peak size to that without such a reader.
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

  /// Ingests all items; the other process starts to read after a tenth of them.
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

  /// Returns the bytes of all files in a folder, recursively.
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
  /// Starts a read, announces it, and stops in its middle.
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
