import TestSupport

extension SeededGenerator {
  /// True in so many of a hundred cases.
  mutating func percent(_ share: Int) -> Bool { Int.random(in: 0..<100, using: &self) < share }

  /// One of some things.
  mutating func one<Element>(of elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &self)]
  }

  /// One of some things, or `nil` of none.
  mutating func any<Element>(of elements: [Element]) -> Element? {
    elements.isEmpty ? nil : one(of: elements)
  }

  /// One of some things, as likely as its weight says.
  mutating func one<Element>(of weighted: [(Int, Element)]) -> Element {
    var ticket = Int.random(in: 0..<weighted.reduce(0) { $0 + $1.0 }, using: &self)
    for (weight, element) in weighted {
      if ticket < weight { return element }
      ticket -= weight
    }
    preconditionFailure("no weight is above 0")
  }

  /// Some of several things.
  mutating func some<Element>(of elements: [Element], _ share: Int = 50) -> [Element] {
    elements.filter { _ in percent(share) }
  }
}
