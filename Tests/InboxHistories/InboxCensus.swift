import EventStore
import Tideline

/// Counts how often histories reach difficult states.
package struct InboxCensus {
  package private(set) var counts: [String: Int] = [:]

  /// An empty census.
  package init() {}

  /// The states that no history reached.
  package var missing: [String] { Self.all.keys.filter { counts[$0, default: 0] == 0 }.sorted() }

  /// All states that are counted.
  private static let all: [String: @Sendable (NaiveAccount, NaiveAccount) -> Int] = [
    "waits for the server": { old, new in states(.acknowledged, old, new) },
    "rejected draft": { old, new in states(.rejected, old, new) },
    "uncertain": { old, new in states(.uncertain, old, new) },
    "deferred": { old, new in states(.deferred, old, new) },
    "several operations on one object": { old, new in
      crowded(new) - crowded(old)
    },
    "held over a logout": { old, new in
      old.isLoggedIn && !new.isLoggedIn && !new.operations.isEmpty ? 1 : 0
    },
    "draft became a message": { old, new in
      new.objects.count { old.objects[$0.key]?.objectClass == .draft && $0.value.isMessage }
    },
    "draft without its base": { old, new in
      new.objects.count { old.objects[$0.key]?.base != nil && $0.value.base == nil }
    },
    "sent draft": { old, new in new.objects.values.count(where: \.isSent) },
    "back from its tombstone": { old, new in
      new.objects.keys.count { old.tombstones[$0] != nil && new.tombstones[$0] == nil }
    },
    "opened before it was told of": { old, new in
      new.objects.values.count { !$0.isTold }
    },
    "told of after it was opened": { old, new in
      new.objects.count { old.objects[$0.key]?.isTold == false && $0.value.isTold }
    },
    "became active or inactive": { old, new in
      new.objects.count { old.objects[$0.key].map { $0.isActive } == !$0.value.isActive }
    },
    "field of the device's": { old, new in
      new.objects.count { old.objects[$0.key]?.owned.isEmpty == true && !$0.value.owned.isEmpty }
    },
    "adding of a file is kept": { old, new in rejected(new) - rejected(old) },
    "file left a draft's text": { old, new in
      new.operations.count { operation in
        old.operations.contains {
          $0.intent == operation.intent && $0.name == operation.name && $0.wish != operation.wish
        }
      }
    },
    "sending of a draft that is gone": { old, new in
      new.operations.count { operation in
        operation.wish == .send && operation.state == .rejected
          && new.objects[operation.name]?.base == nil
          && old.objects[operation.name]?.base != nil
      }
    },
    "begun, but not sent": { old, new in
      new.operations.count { operation in
        !operation.wasBegun
          && old.operations.contains {
            $0.intent == operation.intent && $0.name == operation.name && $0.wasBegun
          }
      }
    },
    "other name": { old, new in new.aliases.count - old.aliases.count },
  ]

  private static func states(
    _ state: NaiveOperation.State, _ old: NaiveAccount, _ new: NaiveAccount
  ) -> Int {
    max(0, new.operations.count { $0.state == state } - old.operations.count { $0.state == state })
  }

  private static func rejected(_ account: NaiveAccount) -> Int {
    account.operations.count { $0.wish.isAttachment && $0.state == .rejected }
  }

  private static func crowded(_ account: NaiveAccount) -> Int {
    account.objects.keys.count { account.operations(on: $0).count > 2 }
  }

  package mutating func look(at history: InboxHistory) {
    var inbox = NaiveInbox()
    for (index, step) in history.steps.enumerated() {
      let before = inbox.accounts
      inbox.apply(RecordNumber(rawValue: UInt64(index + 1)), step.header, step.event)
      for (number, account) in inbox.accounts {
        guard let old = before[number] else { continue }
        for (name, count) in Self.all { counts[name, default: 0] += max(0, count(old, account)) }
      }
    }
  }
}

extension NaiveObject {
  fileprivate var isMessage: Bool { objectClass == .message }
}
