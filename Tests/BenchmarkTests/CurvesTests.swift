import BenchmarkHarness
import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

struct CurvesTests {
  /// Returns a trial whose case takes `time` microseconds at `size`.
  private func trial(_ curve: String, _ role: CurvePoint.Role, _ size: Int, _ time: Int) -> Trial {
    var sample = Sample(digest: 1)
    sample.durations = [.microseconds(time)]
    sample.events = 1
    return Trial(
      "\(curve) \(size)", [Claim(.latency), Claim(.rate)], [sample],
      at: CurvePoint(curve, role, at: size))
  }

  private func curves(_ trials: [Trial]) -> Curves? {
    Curves(
      title: "a < b", caption: "here",
      Finding.all(of: "work", size: 1, checked: false, trials))
  }

  @Test func picture_hasOneLineForEachCurveAndANameAtItsEnd() throws {
    let svg = try #require(
      curves([
        trial("ours", .own, 10, 1), trial("ours", .own, 1000, 2), trial("theirs", .peer, 10, 1),
        trial("theirs", .peer, 1000, 10_000), trial("ours", .own, 100, 2),
      ])
    ).svg
    #expect(XMLParser(data: Data(svg.utf8)).parse())
    #expect(svg.components(separatedBy: "<polyline").count == 3)
    // The ends and middle of both axes: sizes from 10 to 1,000, costs from 1 to 10,000.
    #expect(svg.contains("class=\"curve peer\" points=\"84,510 580,76\""))
    #expect(svg.contains("class=\"curve own\" points=\"84,510 332,"))
    #expect(svg.contains(">theirs, 10 ms<") && svg.contains(">ours, 2 µs<"))
    #expect(svg.contains(">1,000<") && svg.contains("a &lt; b"))
  }

  @Test func oneSize_isNoCurve() {
    #expect(curves([trial("ours", .own, 10, 1), trial("theirs", .peer, 10, 1)]) == nil)
    #expect(curves([]) == nil)
  }

  @Test func casesWithoutPoint_areLeftOut() {
    var sample = Sample(digest: 1)
    sample.durations = [.microseconds(1)]
    #expect(curves([Trial("a", [Claim(.latency)], [sample])]) == nil)
  }
}
