import BenchmarkHarness

/// The private memory of a process that only appends.
enum Memory {
  /// The maximum KiB of such a process above an empty one.
  static let aboveEmpty = 3072.0

  private static let unit = "KiB"

  static let workload = Workload(
    "memory", "anonymous memory of a child that appends one by one", smoke: 100, real: 2_000
  ) { setting in
    [
      Case("empty child", Claim(.amount(unit: unit))) { _ in
        Sample(amount: try anonymous(Role.empty.spawn()))
      },
      above("raw LMDB, above empty", .appendRaw, Claim(.amount(unit: unit)), setting),
      above(
        "log, above empty", .appendLog, Claim(.amount(unit: unit), atMost: aboveEmpty), setting),
      above(
        "spool, above empty", .appendSpool, Claim(.amount(unit: unit), atMost: aboveEmpty),
        setting),
    ]
  }

  private static func above(
    _ name: String, _ role: Role, _ claim: Claim, _ setting: Workload.Setting
  ) -> Case {
    Case(name, claim) { round in
      let empty = try anonymous(Role.empty.spawn())
      let used = try anonymous(role.spawn(round.folder, "\(setting.size)"))
      guard let empty, let used else { return Sample(amount: nil) }
      return Sample(amount: used - empty)
    }
  }

  /// Returns the number that a child printed; `nil` if the system does not tell.
  private static func anonymous(_ printed: String) -> Double? { Double(printed) }
}
