import BenchmarkHarness

/// The sizes of the inbox workload's mailboxes.
enum InboxSizes {
  /// Returns the size of a mailbox after a lifetime.
  static func largest(_ setting: Workload.Setting) -> Int { setting.size * 10 }
}
