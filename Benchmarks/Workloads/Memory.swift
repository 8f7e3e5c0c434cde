import BenchmarkHarness

/// How much private memory a process needs that does nothing but append.
enum Memory {
  private static let unit = "KiB"

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
    ]
  }

  private static func sample(_ printed: String) -> Sample {
    Sample(amount: Double(printed))
  }
}
