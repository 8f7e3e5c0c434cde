import EventStore

/// Assigns numbers to the records of a baseline.
///
/// A thing's state takes the number of the record that reported it last, so that references to that
/// record still find it. Texts and intents keep their numbers. A thing whose number is taken gets
/// that of a record that nothing else replaces.
struct BaselinePlan {
  /// A planned record.
  struct Entry {
    let number: UInt64
    let content: Content
    /// The thing that it describes, or one that refers to it.
    let thing: KeptThing
  }

  /// The content of a record.
  enum Content {
    /// The complete state of a thing, with its texts.
    case thing
    /// Texts to which things refer.
    case texts
    /// An open intent.
    case intent
  }

  /// The records, in ascending order.
  private(set) var entries: [Entry] = []
  private var taken: [UInt64]
  private let floor: UInt64

  /// Plans the baseline of a survey; returns `nil` if there are fewer records than things, so that
  /// nothing would be gained.
  init?(_ survey: BaselineSurvey, upTo floor: RecordNumber) {
    self.floor = floor.rawValue
    taken = [UInt64](repeating: 0, count: Int(floor.rawValue / 64) + 1)
    for (intent, owner) in survey.intents where !isTaken(intent) {
      add(Entry(number: intent, content: .intent, thing: survey.things[owner]))
    }
    let placed = placeTexts(of: survey)
    let homeless = survey.things.enumerated().filter { index, thing in
      !placed.contains(index) && !place(thing)
    }
    guard placeAnywhere(homeless.map(\.element)) else { return nil }
    entries.sort { $0.number < $1.number }
  }

  /// Places texts at their present numbers; returns the things placed there with their own texts.
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

  /// Places a thing at the record that reported it, unless that is taken.
  private mutating func place(_ thing: KeptThing) -> Bool {
    guard !isTaken(thing.number) else { return false }
    add(Entry(number: thing.number, content: .thing, thing: thing))
    return true
  }

  /// Places things at free numbers; returns whether there was room.
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

  /// Returns whether a number is taken, or is not that of a record up to the floor, as in a row
  /// that a damaged record set.
  private func isTaken(_ number: UInt64) -> Bool {
    guard number > 0, number <= floor else { return true }
    return taken[Int(number / 64)] >> (number % 64) & 1 == 1
  }
}
