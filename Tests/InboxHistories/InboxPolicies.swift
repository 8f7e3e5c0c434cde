import TestSupport
package import Tideline

/// The behavior of servers.
package enum InboxPolicies {
  static let intervals = PolicySwitches {
    $0.refreshInterval = .seconds(60)
    $0.settleInterval = .seconds(600)
    $0.tombstoneInterval = .seconds(3600)
    $0.emptyAnswerRowsMax = 20
  }

  /// Mail, with threads and tags.
  package static var mail: PolicySwitches {
    var policy = intervals
    policy.absenceDeletes = true
    policy.serverEditsApply = true
    policy.couplesUnread = true
    policy.marksUnread = true
    return policy
  }

  /// A marketing inbox whose messages belong to the device.
  package static var marketing: PolicySwitches {
    var policy = intervals
    policy.readOwner = .device
    policy.deletionSticks = true
    policy.marksReadOnOpening = true
    policy.hasActiveWindow = true
    return policy
  }

  /// A marketing inbox whose messages belong to the person, and are unread after each login.
  package static var engage: PolicySwitches {
    var policy = intervals
    policy.serverEditsApply = true
    policy.readOwner = .login
    policy.absenceDeletes = true
    policy.readsOwnWrites = true
    return policy
  }

  /// Returns one of those, or any mix of switches.
  static func random(_ dice: inout SeededGenerator) -> PolicySwitches {
    switch Int.random(in: 0..<6, using: &dice) {
    case 0, 1: return mail
    case 2: return marketing
    case 3: return engage
    default: return mixed(&dice)
    }
  }

  private static func mixed(_ dice: inout SeededGenerator) -> PolicySwitches {
    var policy = intervals
    policy.serverEditsApply = dice.percent(70)
    policy.readOwner = dice.one(of: ReadOwner.allCases)
    policy.deletionSticks = dice.percent(50)
    policy.marksReadOnOpening = dice.percent(50)
    policy.couplesUnread = dice.percent(60)
    policy.marksUnread = dice.percent(70)
    policy.hasActiveWindow = dice.percent(50)
    policy.readsOwnWrites = dice.percent(40)
    return policy
  }
}
