import BenchmarkHarness

/// How fast the log is read from its beginning to its end.
enum Scan {
  static let workload = Workload(
    "scan", "\(Append.payloads.size) B each, in order", smoke: 20_000, real: 1_000_000
  ) { setting in
    let raw = try RawLMDB(in: setting.folder)
    try raw.append(Append.payloads, count: setting.size, batch: Append.batch)
    return [
      Case("raw cursor, every byte", Claim(.rate), Claim(.allocations)) { round in
        try await round.meter.measure(events: setting.size) { try raw.sum() }
      }
    ]
  }
}
