import BenchmarkHarness
import EventStore
import Foundation
import LMDB
import Tideline
import TidelineSync

/// The time until a server has confirmed that a message was read.
enum Confirm {
  static let workload = Workload(
    "confirm", "mark COUNT messages read one by one, each confirmed by the server",
    smoke: 20, real: 1_000, rounds: 3
  ) { setting in
    let server = Once { try ServerChild(.serveMail, max(setting.size, 50), in: setting.folder) }
    return [commit(setting.size), confirmed(server, setting.size)]
  }

  private static let commitName = "one durable commit of raw LMDB"
  /// The maximum microseconds above a commit.
  private static let more = 1500.0

  private static func commit(_ count: Int) -> Case {
    Case(commitName, Claim(.latency)) { round in
      let store = try RawLMDB(in: round.folder, .sync)
      return try await round.meter.measureEach(count) { index in
        try store.append([[UInt8](repeating: UInt8(truncatingIfNeeded: index), count: 100)][...])
      }
    }
  }

  private static func confirmed(_ server: Once<ServerChild>, _ count: Int) -> Case {
    Case(
      "marked read until confirmed", Claim(.latency, against: commitName, .atMostAbove(more)),
      Claim(.allocations)
    ) { round in
      let inbox = try await SyncDesk.inbox(in: round.folder, .inbox)
      let sync = SyncDesk.mail(inbox, try server.value())
      sync.start()
      try await SyncDesk.catchUp(sync)
      let provider = try inbox.provider(Message.self, window: 0..<count)
      let messages = Array(provider.start.list)
      provider.end()
      let sample = try await round.meter.measureEach(messages.count) { index in
        // Read messages are marked unread, so that each one causes a request.
        let message = messages[index]
        let action: Action = message.isUnread ? .markRead(message) : .markUnread(message)
        try await inbox.perform(action).confirmed()
        return 1
      }
      sync.stop()
      await inbox.store.close()
      return sample
    }
  }
}
