import BenchmarkHarness
import TestSupport
import Testing

struct FindingTests {
  /// Returns a sample of 100 events for each total time in microseconds.
  private func samples(_ microseconds: [Int]) -> [Sample] {
    microseconds.map { time in
      var sample = Sample(digest: 0xAB)
      sample.durations = [.microseconds(time)]
      sample.events = 100
      return sample
    }
  }

  private func finding(
    _ claim: Claim, _ own: [Sample], peer: [Sample], checked: Bool = true
  ) throws -> Finding {
    let trials = [Trial("peer", [], peer), Trial("own", [claim], own)]
    let findings = Finding.all(of: "work", size: 100, checked: checked, trials)
    #expect(findings.count == 1)
    return try #require(findings.first)
  }

  @Test func ratio_isTakenWithinEachRound() throws {
    // The machine is slow in the second round, and a disturbance slows only our side in the third.
    // The ratio of the medians would be 0.25.
    let own = samples([200, 400, 800])
    let peer = samples([100, 200, 100])
    let finding = try finding(Claim(.rate, against: "peer"), own, peer: peer)
    #expect(finding.ratio == 0.5)
    #expect(finding.values?.median == 250_000)
    #expect(finding.values?.minimum == 125_000)
    #expect(finding.values?.maximum == 500_000)
    #expect(finding.tail == nil)
    #expect(finding.digest == 0xAB)
  }

  @Test(arguments: [
    (Target.ratioAtLeast(0.5), true), (.ratioAtLeast(0.51), false),
    (.ratioAtMost(0.5), true), (.ratioAtMost(0.49), false),
  ])
  func ratioTarget_isJudged(target: Target, met: Bool) throws {
    let claim = Claim(.rate, against: "peer", target)
    let finding = try finding(claim, samples([200]), peer: samples([100]))
    #expect(finding.met == met)
  }

  @Test(.defect(.liveStore, 12), arguments: [(2.0, true), (1.9, false)])
  func absoluteTarget_isJudged(limit: Double, met: Bool) throws {
    let claim = Claim(.cost, atMost: limit * 1000)
    #expect(try finding(claim, samples([200]), peer: samples([1])).met == met)
  }

  @Test func target_isNotJudgedAtOtherSizes() throws {
    let claim = Claim(.cost, atMost: 1)
    #expect(try finding(claim, samples([9]), peer: samples([1]), checked: false).met == nil)
  }

  @Test func whatWasNotCounted_isAbsentAndNotJudged() throws {
    for metric in [Metric.bytesWritten, .allocations, .amount(unit: "KiB")] {
      let claim = Claim(metric, against: "peer", .ratioAtMost(1))
      let finding = try finding(claim, samples([1]), peer: samples([1]))
      #expect(finding.values == nil && finding.ratio == nil && finding.met == nil, "\(metric)")
    }
  }

  @Test func counts_arePerEvent() throws {
    var sample = Sample(digest: 1)
    sample.events = 4
    sample.bytesWritten = 100
    sample.allocations = 2
    #expect(try finding(Claim(.bytesWritten), [sample], peer: []).values?.median == 25)
    #expect(try finding(Claim(.allocations), [sample], peer: []).values?.median == 0.5)
  }

  @Test func tenthsAndTail_areRatiosOfOneSample() throws {
    var sample = Sample(digest: 1)
    sample.durations = (1...100).map { .microseconds($0) }
    sample.events = 100
    #expect(try finding(Claim(.slowdown), [sample], peer: []).values?.median == 955 / 55)
    #expect(try finding(Claim(.unevenness), [sample], peer: []).values?.median == 99 / 50.5)
    sample.durations = Array(sample.durations.prefix(9))
    #expect(try finding(Claim(.slowdown), [sample], peer: []).values == nil)
  }

  @Test func latency_isTheMedianOperationWithItsTail() throws {
    var sample = Sample(digest: 1)
    sample.durations = (1...100).map { .microseconds($0) }
    sample.events = 100
    let finding = try finding(Claim(.latency), [sample], peer: [])
    #expect(finding.values?.median == 50.5)
    #expect(finding.tail == 99)
  }
}
