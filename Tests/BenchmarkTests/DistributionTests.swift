import BenchmarkHarness
import Testing

struct DistributionTests {
  @Test func noValues_noDistribution() {
    #expect(Distribution([]) == nil)
  }

  @Test(
    arguments: [
      ([3], 3), ([1, 2], 1.5), ([5, 1, 3], 3), ([4, 1, 3, 2], 2.5), ([7, 7, 7], 7),
    ] as [([Double], Double)])
  func median_isTheMiddle(values: [Double], median: Double) throws {
    #expect(try #require(Distribution(values)).median == median)
  }

  @Test func extremes_areTheEnds() throws {
    let distribution = try #require(Distribution([2, 9, 4]))
    #expect(distribution.minimum == 2)
    #expect(distribution.maximum == 9)
  }

  /// By definition, at least the share of values is at or below the percentile, and less than the
  /// share is below it.
  @Test func percentile_isTheNearestRank() throws {
    for count in 1...120 {
      let values = (1...count).map(Double.init)
      let distribution = try #require(Distribution(values.reversed()))
      for share in [0.01, 0.5, 0.9, 0.99, 1] {
        let value = distribution.percentile(share)
        let atOrBelow = Double(values.count { $0 <= value })
        let below = Double(values.count { $0 < value })
        #expect(atOrBelow >= share * Double(count), "\(count) values, share \(share)")
        #expect(below < share * Double(count), "\(count) values, share \(share)")
      }
      #expect(distribution.percentile(0) == 1)
    }
  }
}
