/// What can go wrong on the way to a server and back.
package enum Fault: String, CaseIterable, Hashable, Sendable {
  /// Nobody takes it, and that is certain.
  case refused
  /// It never arrives, and nobody knows that.
  case lost
  /// It arrives, and the answer is lost.
  case cut
  /// It arrives when it was given up long ago.
  case stray
  /// It arrives twice.
  case twice
  /// It takes so long that others go by.
  case slow
  /// The server fails, and does nothing.
  case failed
  /// It is done, and the answer says that it failed.
  case lied
  /// It is done, and the answer doesn't mention all of it.
  case silent
}

/// How often what goes wrong.
package struct FaultPlan: Hashable, Sendable {
  /// Of a thousand, how many go wrong so.
  package var shares: [Fault: Int]
  /// How many milliseconds one way takes where nothing is wrong.
  package var latency = 5...80
  /// How many milliseconds it takes where it is slow.
  package var slowness = 1_000...20_000
  /// After how many milliseconds the device gives up.
  package var patience = 30_000

  /// Nothing goes wrong but this.
  package init(_ shares: [Fault: Int] = [:]) { self.shares = shares }

  /// The kinds, of which none or one happens at a time.
  fileprivate var weights: [(choice: Fault?, weight: Int)] {
    let faults = Fault.allCases.map { (choice: Optional($0), weight: shares[$0] ?? 0) }
    let sum = faults.reduce(0) { $0 + $1.weight }
    return [(choice: nil, weight: max(1000 - sum, 0))] + faults
  }
}

/// What becomes of something that is sent: when it arrives, and what the sender hears when.
package struct Route: Hashable, Sendable {
  /// What the sender hears.
  package enum Reply: Hashable, Sendable {
    /// What the server answers to the first that arrives.
    case answer
    /// As ``answer``, but for parts that are not mentioned.
    case partOfAnswer
    /// That it was not sent.
    case notSent
    /// Nothing, until it gives up.
    case nothing
    /// That the server failed.
    case failure
  }

  /// After how long it arrives, each time that it does.
  package var arrivals: [Duration] = []
  /// What the sender hears.
  package var reply = Reply.answer
  /// After how long, counted from the first arrival where that is what is answered.
  package var delay: Duration
}

/// A network in virtual time: it decides what becomes of what is sent, and counts what went wrong.
package struct Network: Sendable {
  /// How often what goes wrong.
  package var plan: FaultPlan
  /// How often what went wrong.
  package private(set) var counts: [Fault: Int] = [:]
  private var dice: Dice

  /// A network, with what its faults are drawn from.
  package init(_ plan: FaultPlan, seed: UInt64) {
    self.plan = plan
    dice = Dice(seed: seed)
  }

  /// Decides what becomes of something that is sent.
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
