import EventStore

/// Which record of a baseline has which number.
///
/// What is known of a thing stands in the place of the record that told of it last; so what names
/// the one names the other. Texts and intents stay where they are. What finds its place taken gets
/// that of a record that nothing else stands for.
struct BaselinePlan {
  /// A record to be.
  struct Entry {
    let number: UInt64
    let content: Content
    /// What it tells of, or a thing that refers to it.
    let thing: KeptThing
  }

  /// What a record has.
  enum Content {
    /// All that is known of a thing, with its texts.
    case thing
    /// Texts that things refer to.
    case texts
    /// An intent that is open.
    case intent
  }

  /// The records in ascending order.
  private(set) var entries: [Entry] = []
  private var taken: [UInt64]
  private let floor: UInt64

  /// The places of what a survey found; `nil` where there are fewer records than things, so that
  /// nothing is gained.
  init?(_ survey: BaselineSurvey, upTo floor: RecordNumber) {
    self.floor = floor.rawValue
    taken = [UInt64](repeating: 0, count: Int(floor.rawValue / 64) + 1)
    for (intent, owner) in survey.intents {
      add(Entry(number: intent, content: .intent, thing: survey.things[owner]))
    }
    let placed = placeTexts(of: survey)
    let homeless = survey.things.enumerated().filter { index, thing in
      !placed.contains(index) && !place(thing)
    }
    guard placeAnywhere(homeless.map(\.element)) else { return nil }
    entries.sort { $0.number < $1.number }
  }

  /// Has texts stay where they are; returns the things that stand there with their own.
  private mutating func placeTexts(of survey: BaselineSurvey) -> Set<Int> {
    var placed: Set<Int> = []
    var rest = survey.texts[...]
    while let first = rest.first {
      let others = rest.prefix { $0.record == first.record }
      rest = rest.dropFirst(others.count)
      guard !isTaken(first.record) else { continue }
      let thing = survey.things[first.owner]
      let isOwn = thing.number == first.record && others.allSatisfy { $0.owner == first.owner }
      add(Entry(number: first.record, content: isOwn ? .thing : .texts, thing: thing))
      if isOwn { placed.insert(first.owner) }
    }
    return placed
  }

  /// Has a thing stand where it was told of, unless something stands there.
  private mutating func place(_ thing: KeptThing) -> Bool {
    guard 1...floor ~= thing.number, !isTaken(thing.number) else { return false }
    add(Entry(number: thing.number, content: .thing, thing: thing))
    return true
  }

  /// Has things stand where nothing does; says whether there was room.
  private mutating func placeAnywhere(_ things: [KeptThing]) -> Bool {
    var next: UInt64 = 1
    for thing in things {
      while next <= floor, isTaken(next) { next += 1 }
      guard next <= floor else { return false }
      add(Entry(number: next, content: .thing, thing: thing))
    }
    return true
  }

  private mutating func add(_ entry: Entry) {
    entries.append(entry)
    taken[Int(entry.number / 64)] |= 1 << (entry.number % 64)
  }

  private func isTaken(_ number: UInt64) -> Bool {
    taken[Int(number / 64)] >> (number % 64) & 1 == 1
  }
}
