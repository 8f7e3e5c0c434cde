import BenchmarkHarness

/// The work of an inbox, from a server's facts to visible lists.
enum InboxWork {
  static let workload = Workload(
    "inbox", "messages told, marked, held and told again", smoke: 2_000, real: 100_000, rounds: 3
  ) { setting in
    InboxIngest.cases(setting) + InboxMark.cases(setting) + InboxProviders.cases(setting)
      + InboxMarkAll.cases(setting) + InboxRoom.cases(setting) + InboxResync.cases(setting)
      + InboxYear.cases(setting)
  }
}
