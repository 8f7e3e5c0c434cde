/// The SVG elements of charts.
package enum Drawing {
  /// Returns a complete picture on white; `style` follows the styles that all pictures share.
  package static func frame(width: Double, height: Double, style: String, _ body: String) -> String
  {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(number(width)) \(number(height))" \
    width="\(number(width))" height="\(number(height))">
    <style>
    text { font: 13px system-ui, "Helvetica Neue", "DejaVu Sans", sans-serif; fill: #24292f; }
    .title { font-size: 17px; font-weight: 600; }
    .faint { font-size: 12px; fill: #57606a; }
    \(style)</style>
    <rect width="100%" height="100%" fill="#ffffff"/>
    \(body)</svg>

    """
  }

  /// Returns a text element.
  package static func text(_ x: Double, _ y: Double, _ style: String, _ content: String) -> String {
    "<text class=\"\(style)\" x=\"\(number(x))\" y=\"\(number(y))\">\(escaped(content))</text>\n"
  }

  /// Returns a line element.
  package static func line(
    _ style: String, _ start: (x: Double, y: Double), _ end: (x: Double, y: Double)
  ) -> String {
    """
    <line class="\(style)" x1="\(number(start.x))" x2="\(number(end.x))" \
    y1="\(number(start.y))" y2="\(number(end.y))"/>

    """
  }

  /// Formats a coordinate to a tenth of a pixel.
  package static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
  }

  private static func escaped(_ text: String) -> String {
    text.map { character in
      switch character {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      default: String(character)
      }
    }.joined()
  }
}
