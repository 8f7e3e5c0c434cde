import EventStore
import LMDB
import TestSupport
import Testing

/// A record whose reduction ends the process must not do so forever.
@Suite struct CrashWatchTests {
  /// A simulated process that reduces records and can die.
  private struct Life {
    let place: ViewsPlace
    let poison: Set<RecordNumber>
    let last: RecordNumber
    /// The number of records in each commit of the views.
    var frame = 100
    /// The last record applied to the views.
    var applied = RecordNumber.zero
    /// All skipped records, in order; `lives` is the number of lives so far.
    var skipped: [RecordNumber] = []
    var lives = 0
    /// Limits so low that short logs exceed them.
    var limits: CrashWatch.Limits = {
      var limits = CrashWatch.Limits()
      (limits.singlesMax, limits.stretchMax) = (40, 8)
      return limits
    }()
    /// The number of notes.
    var notes = 0

    /// Runs until all records are reduced or the process dies; returns whether it survived.
    ///
    /// `kill` decides whether the process is killed at a record.
    mutating func live(_ kill: (RecordNumber) -> Bool = { _ in false }) throws -> Bool {
      lives += 1
      let lease = try #require(try place.views.tryTakeLease())
      let watch = try CrashWatch(
        in: place.views, lease, log: place.log, recipe: place.recipe, after: applied,
        limits: limits)
      if let number = watch.newlySkipped { skipped.append(number) }
      let known = watch.skipped
      #expect(known == skipped)
      let hasLived = try reduce(watch, kill)
      lease.release()
      if !hasLived { try place.views.folder.replace(Lease.file, with: Array("1".utf8)) }
      return hasLived
    }

    /// Runs one life, and expects the process to survive it or not.
    mutating func lives(
      _ expected: Bool, _ kill: (RecordNumber) -> Bool = { _ in false }
    ) throws {
      let hasLived = try live(kill)
      #expect(hasLived == expected)
    }

    private mutating func reduce(
      _ watch: consuming CrashWatch, _ kill: (RecordNumber) -> Bool
    ) throws -> Bool {
      var number = applied
      while let stretch = try watch.next(after: number, through: last) {
        if watch.isWatching { notes += 1 }
        for next in stretch {
          if poison.contains(next) && !watch.skipped.contains(next) || kill(next) { return false }
          number = next
          if number.rawValue.isMultiple(of: UInt64(frame)) { applied = number }
        }
      }
      applied = number
      try watch.end()
      return true
    }
  }

  private func life(
    _ poison: Set<RecordNumber>, last: RecordNumber, frame: Int = 100
  ) throws -> Life {
    Life(place: try ViewsPlace(), poison: poison, last: last, frame: frame)
  }

  @Test func nothing_isNotedWhileAllGoesWell() throws {
    var life = try life([], last: 10_000)
    try life.lives(true)
    #expect(life.notes == 0)
    #expect(try life.place.views.folder.names() == [Lease.file])
  }

  @Test func watch_endsWithoutATrace() throws {
    var life = try life([], last: 200)
    try life.lives(false) { $0 == 150 }
    try life.lives(true)
    #expect(life.notes > 0)
    #expect(try life.place.views.folder.names() == [Lease.file])
  }

  /// Near the applied records, this takes one unwatched death and two at the record.
  @Test func record_thatEndsTheProcessTwice_isSkipped() throws {
    var life = try life([23], last: 500)
    for _ in 0..<3 {
      let hasLived = try life.live()
      #expect(!hasLived)
    }
    #expect(life.skipped == [])
    try life.lives(true)
    #expect(life.skipped == [23])
    try life.lives(true)
    #expect(life.skipped == [23])
  }

  /// Far beyond the applied records, one more death narrows the stretch down.
  @Test func record_inAStretch_takesOneDeathMore() throws {
    var life = try life([777], last: 1000, frame: 1_000_000)
    while try !life.live() {}
    #expect(life.skipped == [777])
    #expect(life.lives == 5)
  }

  /// A rebuild of a hundred thousand records notes few stretches.
  @Test func notes_areFew() throws {
    var life = try life([], last: 100_000, frame: 1_000_000)
    life.limits = CrashWatch.Limits()
    try life.lives(false) { $0 == 5 }
    try life.lives(true)
    #expect(life.notes == 4096 + (100_000 - 4096 + 511) / 512)
  }

  /// Two deaths at a record don't count as consecutive if the record was passed in between.
  @Test func record_gotPastInBetween_isNotSkipped() throws {
    var life = try life([], last: 500, frame: 1000)
    try life.lives(false) { $0 == 300 }
    for _ in 0..<5 {
      try life.lives(false) { $0 == 27 }
      try life.lives(false) { $0 == 400 }
    }
    try life.lives(true)
    #expect(life.skipped == [])
  }

  @Test func severalRecords_areSkippedInTurn() throws {
    var life = try life([5, 6, 700, 701, 999], last: 1000)
    while try !life.live() { #expect(life.lives < 30) }
    #expect(life.skipped.sorted() == [5, 6, 700, 701, 999])
  }

  /// Takes over a second: reaching the limit takes many lives.
  @Test func recordsBeyondTheLimit_areNotSkipped() throws {
    let poison = (1...RecordNumber(rawValue: UInt64(CrashGuard.skippedMax) + 1))
    var life = try life(Set(poison), last: 100)
    while life.lives < 210, try !life.live() {}
    #expect(life.lives == 210)
    #expect(life.skipped == Array(poison.dropLast()))
  }

  @Test func otherReducers_tryAgain() throws {
    let place = try ViewsPlace()
    var life = Life(place: place, poison: [7], last: 10)
    while try !life.live() {}
    let read = { (log: LogStanding, recipe: Recipe) in
      try CrashGuard.read(in: place.views.folder, log: log, recipe: recipe).skipped
    }
    #expect(try read(place.log, place.recipe) == [7])
    #expect(try read(place.log, Recipe(definitions: 0, reducers: 7)) == [7])
    #expect(try read(place.log, Recipe(definitions: 0, reducers: 8)) == [])
    #expect(try read(.sample(9), place.recipe) == [])
  }

  /// A thrown error doesn't count as a death, whatever was noted.
  @Test func note_ofAProcessThatGaveTheLeaseBack_counts_asNothing() throws {
    let place = try ViewsPlace()
    for _ in 0..<5 {
      let lease = try #require(try place.views.tryTakeLease())
      try place.views.folder.replace(Lease.file, with: Array("1".utf8))
      lease.release()
      try place.views.folder.replace(Lease.file, with: Array("1".utf8))
      let inherited = try #require(try place.views.tryTakeLease())
      #expect(inherited.isInherited)
      var watch = try CrashWatch(
        in: place.views, inherited, log: place.log, recipe: place.recipe, after: 0)
      let skipped = watch.newlySkipped
      #expect(skipped == nil)
      let stretch = try watch.next(after: 0, through: 10)
      #expect(stretch == 1...1)
      inherited.release()
      let next = try #require(try place.views.tryTakeLease())
      let other = try CrashWatch(
        in: place.views, next, log: place.log, recipe: place.recipe, after: 0)
      let isWatching = other.isWatching
      #expect(!isWatching)
    }
  }

  /// Random kills cause no record to be skipped, unless two in a row hit the same one.
  @Test func random_kills_skipNothing() throws {
    for seed in 0..<UInt64(Campaign.size(20, long: 200)) {
      var random = SeededGenerator(seed: seed)
      let poison = Set((0..<3).map { _ in Self.number(using: &random) })
      var life = try life(poison, last: 600, frame: .random(in: 1...500, using: &random))
      var marks: Set<RecordNumber> = []
      while life.lives < 60 {
        let mark = Self.number(using: &random)
        let isKilled = life.lives < 40 && marks.insert(mark).inserted
        if try life.live({ isKilled && $0 == mark }), life.lives > 40 { break }
        #expect(poison.isSuperset(of: life.skipped), "seed \(seed)")
      }
      #expect(Set(life.skipped) == poison, "seed \(seed)")
      #expect(life.applied == 600, "seed \(seed)")
    }
  }

  private static func number(using random: inout SeededGenerator) -> RecordNumber {
    RecordNumber(rawValue: .random(in: 1...600, using: &random))
  }
}
