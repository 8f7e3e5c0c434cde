import BenchmarkHarness
import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Two findings at the real size, one of them missing its target, and one figure without a value.
private func someFindings() -> [Finding] {
  var own = Sample(digest: 0xBEEF)
  own.durations = [.microseconds(400)]
  own.events = 100
  var peer = own
  peer.durations = [.microseconds(100)]
  return Finding.all(
    of: "work", size: 100, checked: true,
    [
      Trial("raw <&>", [Claim(.rate)], [peer]),
      Trial(
        "log", [Claim(.rate, against: "raw <&>", .ratioAtLeast(0.5)), Claim(.allocations)], [own]),
    ])
}

struct TableTests {
  @Test func findings_standInAlignedColumns() {
    let expected = """
      case     median    min    max  unit                ratio  against  target  met  result
      raw <&>     1 M    1 M    1 M  events/s                                         beef
      log       250 k  250 k  250 k  events/s           0.250×  raw <&>  ≥ 0.5×  NO   beef
               absent                allocations/event

      """
    #expect(Table(someFindings()).text == expected)
  }

  @Test func emptyColumns_areLeftOut() {
    var table = Table([Table.Column("a"), Table.Column("b"), Table.Column("c", keepsRight: true)])
    table.append(["1", "", "2"])
    table.append(["333", "", "444"])
    #expect(table.text == "a      c\n1      2\n333  444\n")
  }
}

struct JSONTests {
  /// A finding as decoded from the file.
  private struct Line: Decodable, Equatable {
    var workload = "work"
    var `case`: String
    var size = 100
    var unit = "events/s"
    var median, min, max, p99: Double?
    var against: String?
    var ratio: Double?
    var target: String?
    var met: Bool?
    var result = "beef"
  }

  @Test func findings_areReadBack() throws {
    let text = try Finding.json(someFindings())
    let lines = try JSONDecoder().decode([Line].self, from: Data(text.utf8))
    let expected = [
      Line(case: "raw <&>", median: 1e6, min: 1e6, max: 1e6),
      Line(
        case: "log", median: 250e3, min: 250e3, max: 250e3, against: "raw <&>", ratio: 0.25,
        target: "≥ 0.5×", met: false),
      Line(case: "log", unit: "allocations/event"),
    ]
    #expect(lines == expected)
  }
}

struct ChartTests {
  private let svg = Chart(title: "a < b", caption: "\"here\"", someFindings()).svg

  @Test func picture_isWellFormed() {
    #expect(XMLParser(data: Data(svg.utf8)).parse())
  }

  @Test func picture_showsEveryMeasuredFigureAndNoOther() {
    #expect(svg.contains("a &lt; b") && svg.contains("&quot;here&quot;"))
    #expect(svg.contains("events/s, longer is better"))
    #expect(svg.contains(">250 k, 0.250× raw &lt;&amp;&gt;<"))
    #expect(!svg.contains("allocations"))
  }

  @Test func barThatMisses_isMarkedAtTheTargetItMisses() {
    #expect(svg.components(separatedBy: "class=\"missed\"").count == 2)
    // Half of the peer's bar, which spans 270 to 600.
    #expect(svg.contains("class=\"target\" x1=\"435\" x2=\"435\""))
  }

  @Test func noFindings_stillAPicture() {
    #expect(XMLParser(data: Data(Chart(title: "", caption: "", []).svg.utf8)).parse())
  }
}

struct FigureTests {
  @Test(arguments: [
    (0, "0"), (0.0001, "<0.001"), (-0.0001, "0"), (0.0015, "0.00150"), (0.5, "0.500"), (1, "1"),
    (1.004, "1.00"), (9.999, "10.0"), (12.34, "12.3"), (-12.34, "-12.3"), (4096, "4096"),
    (1234.5, "1235"), (9999.4, "9999"), (9999.5, "10.0 k"), (152_000, "152 k"),
    (999_499, "999 k"), (999_500, "1.00 M"), (1_580_000, "1.58 M"), (2.5e9, "2.50 G"),
    (.infinity, "∞"), (-.infinity, "-∞"), (.nan, "?"),
  ])
  func figure_hasThreeDigitsThatMatter(value: Double, text: String) {
    #expect(figure(value) == text)
  }

  @Test func chosenNumber_hasNoZerosAtItsEnd() {
    #expect([0.6, 1.25, 300, 100_000].map(chosen) == ["0.6", "1.25", "300", "100 k"])
  }

  @Test(arguments: [
    (0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567"), (Int.min, nil),
  ])
  func thousands_areApart(number: Int, text: String?) {
    #expect(grouped(number).filter { $0 != "," } == String(number))
    if let text { #expect(grouped(number) == text) }
  }
}
