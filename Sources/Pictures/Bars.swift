/// A bar chart of figures, in groups with headings, as SVG.
package struct Bars: Sendable {
  private let title: String
  private let caption: String
  private let groups: [Group]

  /// Bars drawn to the same scale.
  package struct Group: Sendable {
    private let heading: String
    private let bars: [Bar]
    /// The largest value that must fit.
    private let scale: Double

    /// Creates a group of bars under a heading, with a scale that fits all of them.
    package init(_ heading: String, _ bars: [Bar]) {
      (self.heading, self.bars) = (heading, bars)
      let scale = bars.map { max($0.value, $0.spread?.upperBound ?? 0) }.max() ?? 0
      self.scale = scale > 0 ? scale : 1
    }
  }

  /// One figure.
  package struct Bar: Sendable {
    private let name: String
    fileprivate let value: Double
    private let remark: String
    /// The role that determines the bar's style.
    private let role: Role
    /// The range of the measurements.
    package var spread: ClosedRange<Double>?
    /// The value to reach.
    package var target: Double?

    /// A figure, with the name before its bar and the remark after it.
    package init(_ name: String, _ value: Double, _ remark: String, _ role: Role = .own) {
      (self.name, self.value, self.remark, self.role) = (name, value, remark, role)
    }
  }

  /// The role of a figure.
  package enum Role: String, Sendable {
    /// A figure to be judged, or simply reported.
    case own
    /// A figure for comparison.
    case peer
    /// A figure to stand out, because it isn't as it should be.
    case missed
  }

  fileprivate enum Layout {
    static let width = 880.0
    static let margin = 20.0
    static let barLeft = 270.0
    static let barRight = 600.0
    static let rowHeight = 26.0
    static let headHeight = 66.0
    static let groupHeight = 38.0
  }

  /// - Parameter caption: The conditions under which the figures were measured.
  package init(title: String, caption: String, _ groups: [Group]) {
    (self.title, self.caption, self.groups) = (title, caption, groups)
  }

  /// The complete picture.
  package var svg: String {
    var (y, body) = (Layout.headHeight, "")
    for group in groups { body += group.drawn(at: &y) }
    return Drawing.frame(
      width: Layout.width, height: y + Layout.margin / 2, style: Self.style,
      Drawing.text(Layout.margin, 30, "title", title)
        + Drawing.text(Layout.margin, 50, "faint", caption) + body)
  }

  private static let style = """
    .group { font-weight: 600; }
    .peer { fill: #a8b3bf; } .own { fill: #4778b3; } .missed { fill: #c4432b; }
    .spread { stroke: #57606a; stroke-width: 1.5; }
    .target { stroke: #24292f; stroke-width: 2.5; }

    """
}

extension Bars.Group {
  /// Draws the group at a height, and advances that past the group.
  fileprivate func drawn(at y: inout Double) -> String {
    var body = Drawing.text(Bars.Layout.margin, y + 14, "group", heading)
    y += Bars.Layout.groupHeight - 12
    for bar in bars {
      body += bar.drawn(at: y, scale)
      y += Bars.Layout.rowHeight
    }
    y += 12
    return body
  }
}

extension Bars.Bar {
  fileprivate func drawn(at y: Double, _ scale: Double) -> String {
    let middle = y + 10
    var row = Drawing.text(Bars.Layout.margin, middle + 4, "", name)
    row += rectangle(from: y + 2, to: position(value, scale))
    if let spread {
      row += Drawing.line(
        "spread", (position(spread.lowerBound, scale), middle),
        (position(spread.upperBound, scale), middle))
    }
    if let target, target <= scale {
      let x = position(target, scale)
      row += Drawing.line("target", (x, y - 1), (x, y + 21))
    }
    return row + Drawing.text(Bars.Layout.barRight + 10, middle + 4, "faint", remark)
  }

  private func rectangle(from top: Double, to right: Double) -> String {
    let left = Bars.Layout.barLeft
    return """
      <rect class="\(role.rawValue)" x="\(Drawing.number(left))" y="\(Drawing.number(top))" \
      width="\(Drawing.number(max(right - left, 1)))" height="16"/>

      """
  }

  private func position(_ value: Double, _ scale: Double) -> Double {
    Bars.Layout.barLeft + (Bars.Layout.barRight - Bars.Layout.barLeft) * value / scale
  }
}
