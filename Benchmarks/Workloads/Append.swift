import BenchmarkHarness
import EventStore

/// The rate of appends to the log when many events share a commit.
enum Append {
  /// Records per commit.
  static let batch = 500
  /// The size of an event's payload, in bytes.
  static let payloadBytes = 250

  /// The minimum ratio of the log's rate to raw LMDB's, without flushing.
  static let rateUnflushed = 0.85
  /// The minimum ratio of the log's rate to raw LMDB's, with each batch flushed.
  static let rateFlushed = 0.95
  /// The maximum number of bytes written per byte of header and payload.
  static let writeAmplification = 1.4
  /// The maximum number of heap allocations per record.
  static let allocations = 1.0

  /// The payloads of the log's records.
  static let payloads = Payloads(size: payloadBytes)
  /// Values for raw LMDB, as long as the log's records.
  static let records = Payloads(size: payloadBytes + LogCase.headerBytes)

  /// The number of concurrent appends in an ingest that reads its next page meanwhile.
  static let inFlight = 6

  static let workload = Workload(
    "append", "\(payloads.size) B each, \(batch) to a batch", smoke: 10_000, real: 500_000
  ) { setting in
    [false, true].flatMap { isFlushed in
      let flushing = isFlushed ? "sync" : "no sync"
      let raw = "raw LMDB, \(flushing)"
      return [
        Append.raw(raw, isFlushed ? .sync : .noSync, setting),
        log("log, \(flushing), one at a time", isFlushed, 1, Claim(.rate, against: raw), setting),
        log(
          "log, \(flushing), \(inFlight) in flight", isFlushed, inFlight,
          Claim(.rate, against: raw, .ratioAtLeast(isFlushed ? rateFlushed : rateUnflushed)),
          setting),
      ]
    }
  }

  private static func raw(
    _ name: String, _ durability: RawLMDB.Durability, _ setting: Workload.Setting
  ) -> Case {
    Case(name, Claim(.rate), Claim(.bytesWritten), Claim(.allocations)) { round in
      let store = try RawLMDB(in: round.folder, durability)
      return try await round.meter.measure(events: setting.size) {
        try store.append(records, count: setting.size, batch: batch)
      }
    }
  }

  private static func log(
    _ name: String, _ isFlushed: Bool, _ inFlight: Int, _ rate: Claim, _ setting: Workload.Setting
  ) -> Case {
    Case(
      name, rate, Claim(.bytesWritten, atMost: writeAmplification * Double(records.size)),
      Claim(.allocations, atMost: allocations)
    ) { round in
      let log = try await LogCase.open(round.folder, isFlushed: isFlushed)
      let sample = try await round.meter.measure(events: setting.size) {
        try await LogCase.append(
          payloads, count: setting.size, batch: batch, inFlight: inFlight, to: log)
      }
      await log.close()
      return sample
    }
  }
}
