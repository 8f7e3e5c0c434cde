import BenchmarkHarness

/// How large the mailboxes of the inbox workload are.
enum InboxSizes {
  /// The size of the mailboxes that a whole life has filled.
  static func largest(_ setting: Workload.Setting) -> Int { setting.size * 10 }
}
