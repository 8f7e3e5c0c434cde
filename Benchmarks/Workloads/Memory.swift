import BenchmarkHarness

/// How much private memory a process needs that does nothing but append.
enum Memory {
  private static let unit = "KiB"
  /// What writing to a spool may need beyond what the same program needs for nothing.
  static let spoolMax = 3.0 * 1024
  /// The spool flushes each event twice, so it gets one of so many events.
  private static let spoolShare = 100

  static let workload = Workload(
    "memory", "anonymous memory of a child process", smoke: 10_000, real: 100_000
  ) { setting in
    [
      Case("empty child", Claim(.amount(unit: unit))) { _ in
        try sample(Role.empty.spawn())
      },
      Case("raw LMDB, appending", Claim(.amount(unit: unit), against: "empty child")) { round in
        try sample(Role.appendRaw.spawn(round.folder, "\(setting.size)"))
      },
      Case("spool, appending, above empty", Claim(.amount(unit: unit), atMost: spoolMax)) { round in
        try sample(Role.appendSpool.spawn(round.folder, "\(setting.size / spoolShare)"))
      },
    ]
  }

  private static func sample(_ printed: String) -> Sample {
    Sample(amount: Double(printed))
  }
}
