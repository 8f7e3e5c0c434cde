import TestSupport

extension SeededGenerator {
  /// Returns `true` in so many of a hundred cases.
  mutating func percent(_ share: Int) -> Bool { Int.random(in: 0..<100, using: &self) < share }

  /// Returns a random element.
  mutating func one<Element>(of elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &self)]
  }

  /// Returns a random element; `nil` if none.
  mutating func any<Element>(of elements: [Element]) -> Element? {
    elements.isEmpty ? nil : one(of: elements)
  }

  /// Returns a random element, as likely as its weight.
  mutating func one<Element>(of weighted: [(Int, Element)]) -> Element {
    var ticket = Int.random(in: 0..<weighted.reduce(0) { $0 + $1.0 }, using: &self)
    for (weight, element) in weighted {
      if ticket < weight { return element }
      ticket -= weight
    }
    preconditionFailure("no weight is above 0")
  }

  /// Returns some of the elements.
  mutating func some<Element>(of elements: [Element], _ share: Int = 50) -> [Element] {
    elements.filter { _ in percent(share) }
  }
}
