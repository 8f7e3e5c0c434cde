import Foundation

/// Formats a number for people: three significant digits, and `k`, `M` or `G` for large numbers.
package func figure(_ value: Double) -> String {
  // A few operations may take no measurable time, and that may be a divisor.
  guard value.isFinite else { return value.isNaN ? "?" : value < 0 ? "-∞" : "∞" }
  let magnitude = abs(value)
  if magnitude >= 999.5e6 { return digits(value / 1e9) + " G" }
  if magnitude >= 999.5e3 { return digits(value / 1e6) + " M" }
  if magnitude >= 9_999.5 { return digits(value / 1e3) + " k" }
  return digits(value)
}

/// Formats an integer with separated thousands: 1,000,000.
package func grouped(_ number: Int) -> String {
  let digits = String(number.magnitude)
  let groups = stride(from: digits.count, to: 0, by: -3).map { end in
    digits.prefix(end).suffix(min(3, end))
  }
  return (number < 0 ? "-" : "") + groups.reversed().joined(separator: ",")
}

/// Formats a number without trailing zeros of a fraction: for hand-picked numbers.
package func chosen(_ value: Double) -> String {
  var text = figure(value)
  guard text.contains("."), !text.contains(" ") else { return text }
  while text.last == "0" { text.removeLast() }
  return text
}

/// Formats an integer as it is, and any other number to three significant digits.
private func digits(_ value: Double) -> String {
  guard value != value.rounded() else { return String(Int(value)) }
  guard abs(value) >= 0.001 else { return value > 0 ? "<0.001" : "0" }
  // Rounded first, because 9.999 has the digits of 10.
  let order = Int(log10(abs(value) / 0.999_5).rounded(.down))
  let decimals = max(0, 2 - order)
  let scale = pow(10, Double(decimals))
  let scaled = Int((value * scale).rounded())
  let (whole, fraction) = scaled.magnitude.quotientAndRemainder(dividingBy: UInt(scale))
  let sign = scaled < 0 ? "-" : ""
  guard decimals > 0 else { return "\(sign)\(whole)" }
  let text = String(fraction)
  return "\(sign)\(whole)." + String(repeating: "0", count: decimals - text.count) + text
}
