import BenchmarkHarness
import EventStore
import Foundation
import Tideline
import TidelineHTTP

/// The rate at which a page of changes is read into facts, from a server's bytes.
enum WireDecoding {
  static let workload = Workload(
    "json", "read and take in a page of COUNT messages, beside Foundation's decoder",
    smoke: 100, real: 10_000, rounds: 5
  ) { setting in
    let bytes = DeltaBytes.page(setting.size)
    let decoding = [
      foundation(bytes, setting.size), scan(bytes, setting.size), facts(bytes, setting.size),
    ]
    let taking = WireTaking.cases(
      bytes, setting.size, foundation: foundationName, reading: factsName, in: setting.folder)
    return decoding + taking
  }

  private static let foundationName = "JSONDecoder into structures"
  private static let factsName = "facts"
  /// The minimum ratio to the rate of Foundation's decoder.
  private static let timesFoundation = 10.0

  private static func foundation(_ bytes: [UInt8], _ count: Int) -> Case {
    let data = Data(bytes)
    return Case(foundationName, Claim(.rate), Claim(.allocations)) { round in
      try await round.meter.measure(events: count) {
        let page = try JSONDecoder().decode(DecodedPage.self, from: data)
        return UInt64(page.deltas.reduce(0) { $0 + ($1.attributes?.files?.count ?? 0) })
      }
    }
  }

  /// Measures only the check that the bytes are JSON.
  private static func scan(_ bytes: [UInt8], _ count: Int) -> Case {
    Case("checked only", Claim(.rate), Claim(.allocations)) { round in
      try await round.meter.measure(events: count) {
        var scanner = JSONScanner(bytes.payloadBytes)
        let value = try scanner.value()
        try scanner.finish()
        return UInt64(value.end)
      }
    }
  }

  private static func facts(_ bytes: [UInt8], _ count: Int) -> Case {
    let claims = [
      Claim(.rate, against: foundationName, .ratioAtLeast(timesFoundation)), Claim(.allocations),
    ]
    return Case(factsName, claims) { round in
      try await round.meter.measure(events: count) {
        let page = try DeltaPage(bytes.payloadBytes)
        guard page.items.refused.isEmpty else { throw Refused() }
        return UInt64(page.items.facts.reduce(0) { $0 + $1.fields.count })
      }
    }
  }

  /// The error that a message of the page was refused.
  private struct Refused: Error {}
}
