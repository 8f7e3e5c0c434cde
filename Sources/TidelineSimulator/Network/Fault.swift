/// Faults on the way to a server and back.
package enum Fault: String, CaseIterable, Hashable, Sendable {
  /// It does not arrive, for certain.
  case refused
  /// It never arrives, and nobody knows.
  case lost
  /// It arrives, and the answer is lost.
  case cut
  /// It arrives long after it was given up.
  case stray
  /// It arrives twice.
  case twice
  /// It is so slow that others overtake it.
  case slow
  /// The server fails and does nothing.
  case failed
  /// It is carried out, and the answer reports a failure.
  case lied
  /// It is carried out, and the answer omits a part.
  case silent
}

/// The frequencies of faults.
package struct FaultPlan: Hashable, Sendable {
  /// The number of each fault per thousand.
  package var shares: [Fault: Int]
  /// The milliseconds that one way takes without a fault.
  package var latency = 5...80
  /// The milliseconds that one way takes if it is slow.
  package var slowness = 1_000...20_000
  /// The milliseconds after which the device gives up.
  package var patience = 30_000

  /// Creates a plan with only these faults.
  package init(_ shares: [Fault: Int] = [:]) { self.shares = shares }

  /// The faults, of which at most one happens at a time.
  fileprivate var weights: [(choice: Fault?, weight: Int)] {
    let faults = Fault.allCases.map { (choice: Optional($0), weight: shares[$0] ?? 0) }
    let sum = faults.reduce(0) { $0 + $1.weight }
    return [(choice: nil, weight: max(1000 - sum, 0))] + faults
  }
}

/// The fate of something sent: its arrivals, and what the sender hears and when.
package struct Route: Hashable, Sendable {
  /// The reply to the sender.
  package enum Reply: Hashable, Sendable {
    /// The server's answer to the first arrival.
    case answer
    /// As ``answer``, but without some parts.
    case partOfAnswer
    /// The failure that it was not sent.
    case notSent
    /// Nothing, until the sender gives up.
    case nothing
    /// The failure of the server.
    case failure
  }

  /// The delays of its arrivals.
  package var arrivals: [Duration] = []
  /// The reply to the sender.
  package var reply = Reply.answer
  /// The delay of the reply, from the first arrival if the reply is an answer.
  package var delay: Duration
}

/// A network in virtual time, which decides the routes and counts the faults.
package struct Network: Sendable {
  /// The frequencies of faults.
  package var plan: FaultPlan
  /// The number of times each fault happened.
  package private(set) var counts: [Fault: Int] = [:]
  private var dice: Dice

  /// Creates a network with a seed for its faults.
  package init(_ plan: FaultPlan, seed: UInt64) {
    self.plan = plan
    dice = Dice(seed: seed)
  }

  /// Decides the route of something sent.
  package mutating func route(isOnline: Bool) -> Route {
    let (there, back) = (dice.milliseconds(plan.latency), dice.milliseconds(plan.latency))
    guard isOnline else { return note(.refused, Route(reply: .notSent, delay: there)) }
    guard let fault = dice.pick(weighted: plan.weights) ?? nil else {
      return Route(arrivals: [there], delay: back)
    }
    return note(fault, route(fault, there, back))
  }

  private mutating func note(_ fault: Fault, _ route: Route) -> Route {
    counts[fault, default: 0] += 1
    return route
  }

  private mutating func route(_ fault: Fault, _ there: Duration, _ back: Duration) -> Route {
    let patience = Duration.milliseconds(plan.patience)
    let late = dice.milliseconds(1...plan.patience * 2)
    return switch fault {
    case .refused: Route(reply: .notSent, delay: there)
    case .lost: Route(reply: .nothing, delay: patience)
    case .cut: Route(arrivals: [there], reply: .nothing, delay: patience)
    case .stray: Route(arrivals: [patience + late], reply: .nothing, delay: patience)
    case .twice: Route(arrivals: [there, there + late], delay: back)
    case .slow: Route(arrivals: [dice.milliseconds(plan.slowness)], delay: back)
    case .failed: Route(reply: .failure, delay: there + back)
    case .lied: Route(arrivals: [there], reply: .failure, delay: there + back)
    case .silent: Route(arrivals: [there], reply: .partOfAnswer, delay: back)
    }
  }
}
