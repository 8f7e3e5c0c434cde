import Foundation
import Pictures

/// A chart in SVG of the cost of one operation by size, with two logarithmic axes.
package struct Curves: Sendable {
  private let title: String
  private let caption: String
  private let curves: [Curve]
  private let sizes: ClosedRange<Double>
  private let costs: ClosedRange<Double>

  private struct Curve {
    let name: String
    let role: CurvePoint.Role
    /// The points, by ascending size.
    var points: [(size: Double, cost: Distribution)]
  }

  private enum Layout {
    static let width = 880.0
    static let height = 560.0
    static let margin = 20.0
    static let left = 84.0
    static let right = 580.0
    static let top = 76.0
    static let bottom = 510.0
    static let lineHeight = 17.0
  }

  /// Creates curves from the latencies among `findings` that have a point.
  ///
  /// Returns `nil` if fewer than two sizes were measured.
  package init?(title: String, caption: String, _ findings: [Finding]) {
    self.title = title
    self.caption = caption
    curves = Self.curves(of: findings)
    let points = curves.flatMap(\.points)
    let sizes = points.map(\.size)
    guard let least = sizes.min(), let most = sizes.max(), least < most else { return nil }
    self.sizes = least...most
    let low = points.map(\.cost.minimum).min() ?? 1
    let high = points.map(\.cost.maximum).max() ?? 1
    costs = pow(10, log10(low).rounded(.down))...pow(10, log10(high).rounded(.up))
  }

  private static func curves(of findings: [Finding]) -> [Curve] {
    var curves: [Curve] = []
    for finding in findings where finding.claim.metric == .latency {
      guard let point = finding.point, let cost = finding.values, cost.minimum > 0 else { continue }
      let size = Double(point.size)
      if let index = curves.firstIndex(where: { $0.name == point.curve }) {
        // A case may make several claims about one figure.
        if curves[index].points.allSatisfy({ $0.size != size }) {
          curves[index].points.append((size, cost))
        }
      } else {
        curves.append(Curve(name: point.curve, role: point.role, points: [(size, cost)]))
      }
    }
    for index in curves.indices { curves[index].points.sort { $0.size < $1.size } }
    return curves
  }

  /// The complete picture.
  package var svg: String {
    var body = grid
    for curve in curves { body += drawing(of: curve) }
    return Drawing.frame(
      width: Layout.width, height: Layout.height, style: Self.style,
      Drawing.text(Layout.margin, 30, "title", title)
        + Drawing.text(Layout.margin, 50, "faint", caption) + body + labels)
  }

  private static let style = """
    .grid { stroke: #d8dee4; stroke-width: 1; }
    .curve { fill: none; stroke-width: 1.8; }
    .peer { stroke: #8c959f; } .own { stroke: #1f6feb; stroke-width: 3.5; }
    .limit { stroke: #24292f; stroke-dasharray: 5 4; }
    .dot.peer { fill: #8c959f; } .dot.own { fill: #1f6feb; } .dot.limit { fill: #24292f; }
    .dot { stroke: none; }
    .left { text-anchor: end; } .middle { text-anchor: middle; }

    """

  private var grid: String {
    var grid = Drawing.text(Layout.left, Layout.top - 8, "faint", "p50, lower is better")
    for cost in decades(costs) {
      let y = y(cost)
      grid += Drawing.line("grid", (Layout.left, y), (Layout.right, y))
      grid += Drawing.text(Layout.left - 8, y + 4, "faint left", Self.time(cost))
    }
    for size in decades(sizes) {
      let x = x(size)
      grid += Drawing.line("grid", (x, Layout.top), (x, Layout.bottom))
      grid += Drawing.text(x, Layout.bottom + 20, "faint middle", grouped(Int(size)))
    }
    let middle = (Layout.left + Layout.right) / 2
    return grid + Drawing.text(middle, Layout.bottom + 38, "faint middle", "rows in the view")
  }

  private func drawing(of curve: Curve) -> String {
    let places = curve.points.map { (x($0.size), y($0.cost.median)) }
    let line = places.map { "\(Drawing.number($0.0)),\(Drawing.number($0.1))" }
    var drawing =
      "<polyline class=\"curve \(curve.role)\" points=\"\(line.joined(separator: " "))\"/>\n"
    for place in places {
      drawing += "<circle class=\"dot \(curve.role)\" cx=\"\(Drawing.number(place.0))\" "
      drawing += "cy=\"\(Drawing.number(place.1))\" r=\"3.5\"/>\n"
    }
    return drawing
  }

  /// Each curve's name and last figure beside its end, moved down to avoid overlaps.
  private var labels: String {
    let ends = curves.compactMap { curve in curve.points.last.map { (curve.name, $0) } }
      .sorted { $0.1.cost.median > $1.1.cost.median }
    var labels = ""
    var lowest = -Double.infinity
    for (name, end) in ends {
      let y = max(y(end.cost.median) + 4, lowest + Layout.lineHeight)
      lowest = y
      labels += Drawing.text(
        Layout.right + 12, y, "", "\(name), \(Self.time(end.cost.median))")
    }
    return labels
  }

  /// Returns microseconds as text, in a suitable unit.
  private static func time(_ microseconds: Double) -> String {
    switch microseconds {
    case 999_500...: "\(chosen(microseconds / 1e6)) s"
    case 999.5...: "\(chosen(microseconds / 1e3)) ms"
    default: "\(chosen(microseconds)) µs"
    }
  }

  private func decades(_ range: ClosedRange<Double>) -> [Double] {
    let first = Int(log10(range.lowerBound).rounded(.up))
    let last = Int(log10(range.upperBound).rounded(.down))
    return first <= last ? (first...last).map { pow(10, Double($0)) } : []
  }

  private func x(_ size: Double) -> Double {
    Layout.left + (Layout.right - Layout.left) * share(of: size, in: sizes)
  }

  private func y(_ cost: Double) -> Double {
    Layout.bottom - (Layout.bottom - Layout.top) * share(of: cost, in: costs)
  }

  private func share(of value: Double, in range: ClosedRange<Double>) -> Double {
    log(value / range.lowerBound) / log(range.upperBound / range.lowerBound)
  }
}
