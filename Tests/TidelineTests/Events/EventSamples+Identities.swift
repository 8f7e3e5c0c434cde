import EventStore
import Tideline

/// Logins, configuration and privacy.
extension EventSamples {
  static var identities: [any InboxEvent] {
    [
      LoggedIn {
        $0.person = "alice@example.com"
        $0.server = "api.example.com"
        $0.namespace = "n1"
        $0.policy = policy
      },
      LoggedOut {
        $0.pending = .flush
        $0.flushUntil = time
      },
      IdentityChanged { $0.person = "bob" },
      ConfigurationChanged {
        $0.policy = PolicySwitches()
        $0.isInboxEnabled = false
        $0.marksReadOnOpening = true
        $0.ownsBadge = true
      },
      PrivacyChanged { $0.mode = .doNotTrack },
      Erased {
        $0.name = ObjectName(.message, "m1")
        $0.count = 12
      },
    ]
  }

  private static let policy = PolicySwitches {
    $0.absenceDeletes = true
    $0.serverEditsApply = true
    $0.readOwner = .server
    $0.deletionSticks = true
    $0.marksReadOnOpening = true
    $0.couplesUnread = true
    $0.marksUnread = true
    $0.hasActiveWindow = true
    $0.readsOwnWrites = true
    $0.refreshInterval = .seconds(60)
    $0.settleInterval = .seconds(600)
    $0.tombstoneInterval = .seconds(7_776_000)
    $0.emptyAnswerRowsMax = 20
  }
}
