import BenchmarkHarness
import BenchmarkPeers

/// The cost of one change that affects one of many open windows.
enum Live {
  /// The arrangement of the windows.
  enum Spread: String, CaseIterable {
    /// Each window shows the first unread items of another group.
    case groups = "in as many groups"
    /// Each window shows another stretch of the unread items.
    case oneView = "in one view"
  }

  static let workload = Workload(
    "live", "one item changes, in one of many windows", smoke: 2_000, real: 100_000,
    rounds: 3
  ) { setting in
    let mailbox = Mailbox(count: setting.size, isAllUnread: true)
    let many = setting.size / 10
    let folder = try await MailStore.filled(
      mailbox, in: setting.folder, MailReducer(isByGroup: true))
    var cases = [keyed(mailbox, 1), keyed(mailbox, many)]
    for spread in Spread.allCases {
      cases += try [
        peer(mailbox, spread, 1, setting), peer(mailbox, spread, many, setting),
      ]
      cases += own(mailbox, spread, 1, folder, setting)
      cases += own(mailbox, spread, many, folder, setting)
    }
    return cases
  }

  /// Returns the name of a case: the system, and the number of open windows.
  static func name(_ what: String, _ spread: Spread, _ windows: Int) -> String {
    "\(what), \(grouped(windows)) \(windows == 1 ? "window" : "windows") \(spread.rawValue)"
  }

  /// Returns an item in the window with a number, for a turn to change.
  static func item(_ window: Int, _ mailbox: Mailbox) -> MailItem {
    mailbox[window * (mailbox.count / 10_000 + 1) % mailbox.count]
  }

  /// Finds the window by its group, and removes the item from it.
  private static func keyed(_ mailbox: Mailbox, _ windows: Int) -> Case {
    Case(name("in memory, found by group", .groups, windows), Claim(.latency)) { round in
      var shown: [Int: [ViewKey]] = [:]
      for window in 0..<windows {
        shown[item(window, mailbox).group, default: []].append(item(window, mailbox).key)
      }
      return await round.meter.measureEach(200, operations: 64) { turn in
        (0..<64).reduce(0) { sum, part in
          let item = item((turn * 64 + part) % windows, mailbox)
          guard let place = shown[item.group]?.firstIndex(of: item.key) else { return sum }
          shown[item.group]?.remove(at: place)
          shown[item.group]?.insert(item.key, at: place)
          return sum &+ UInt64(place)
        }
      } after: { _ in
      }
    }
  }

  /// Measures SQLite, which does not tell which windows a change affects, so all are queried again.
  private static func peer(
    _ mailbox: Mailbox, _ spread: Spread, _ windows: Int, _ setting: Workload.Setting
  ) throws -> Case {
    let folder = try TemporaryFolder.made(in: setting.folder, "sqlite-\(spread)-\(windows)")
    let mail = try SQLiteMail(in: folder, .groupWindows, .normal)
    try mail.fill(mailbox)
    return Case(
      name("SQLite, each again", spread, windows), Claim(.latency), isSlow: windows > 1
    ) { round in
      var none = SQLiteMail.Shown()
      return try await round.meter.measureEach(windows == 1 ? 200 : 10, operations: 1) { turn in
        let marked = item(turn % windows, mailbox)
        try mail.markRead(marked)
        return try (0..<windows).reduce(0) { digest, window in
          let item = item(window, mailbox)
          return switch spread {
          case .groups: try digest &* 31 &+ mail.firstUnread(of: item.groupID)
          case .oneView: try digest &* 31 &+ mail.unread(from: item.date)
          }
        }
      } after: { turn in
        try mail.markUnread(item(turn % windows, mailbox), &none)
      }
    }
  }
}
