package import TestSupport

extension SeededGenerator {
  /// Returns `true` once in so many times.
  package mutating func onceIn(_ times: Int) -> Bool {
    Int.random(in: 0..<times, using: &self) == 0
  }

  /// Returns a number below a bound, small ones far more often.
  package mutating func low(below bound: Int) -> Int {
    let first = Int.random(in: 0..<bound, using: &self)
    return Bool.random(using: &self) ? first : Int.random(in: 0...first, using: &self)
  }

  /// Returns a random element.
  package mutating func one<Element>(of elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &self)]
  }

  /// Returns a random element, as likely as its weight.
  package mutating func one<Element>(of weighted: [(element: Element, weight: Int)]) -> Element {
    var ticket = Int.random(in: 0..<weighted.reduce(0) { $0 + $1.weight }, using: &self)
    for (element, weight) in weighted {
      if ticket < weight { return element }
      ticket -= weight
    }
    preconditionFailure("no weight is above 0")
  }
}
