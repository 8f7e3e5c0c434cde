import EventStore
import LMDB
import TestSupport
import Testing

/// The decision whether views may be opened as they are.
@Suite struct TrustTests {
  /// The inputs of the decision; by default, all of them match.
  struct Case {
    var pointer: ViewsPointer? = .sample
    var found = DataFile.sound(ViewsPointer.sample.data, transaction: 44)
    var boot: Boot? = .now
    var log = LogStanding.sample()
    var recipe = Recipe.sample

    var reason: Distrust? {
      Trust(in: pointer, found: found, boot: boot, log: log, recipe: recipe).reason
    }
  }

  /// A change to matching inputs, and the reason that it leads to.
  struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let reason: Distrust?
    let make: @Sendable (inout Case) -> Void

    init(
      _ description: String, _ reason: Distrust?, _ make: @escaping @Sendable (inout Case) -> Void
    ) {
      (testDescription, self.reason, self.make) = (description, reason, make)
    }
  }

  /// The changes, tested alone and in pairs.
  static let changes: [Change] = [
    Change("nothing", nil) { _ in },
    Change("no pointer", .noPointer) { $0.pointer = nil },
    Change("store", .otherStore) { $0.log.store = LogStanding.sample(9).store },
    Change("copy", .otherCopy) { $0.log.incarnation = LogStanding.sample(9).incarnation },
    Change("definitions", .otherDefinitions) { $0.recipe.definitions ^= 1 },
    Change("reducers", .otherReducers) { $0.recipe.reducers += 1 },
    Change("missing", .missingFile) { $0.found = .missing },
    Change("damaged", .damagedFile(.truncated)) { $0.found = .damaged(.truncated) },
    Change("inode", .otherFile) {
      $0.found = .sound(File.Identity(device: 5, inode: 7), transaction: 44)
    },
    Change("device", .otherFile) {
      $0.found = .sound(File.Identity(device: 6, inode: 6), transaction: 44)
    },
    Change("restart", .restarted) { $0.boot = .before },
    Change("boot unknown now", .bootUnknown) { $0.boot = nil },
    Change("boot unknown then", .bootUnknown) { $0.pointer?.boot = nil },
    Change("boot never known", .bootUnknown) {
      $0.boot = nil
      $0.pointer?.boot = nil
    },
    Change("written in the same run", nil) { $0.log.stamp = Self.stamp { $0.transaction = 1 } },
    Change("restart, clean", nil) { $0.restart(.sample) },
    Change("boot unknown, clean", nil) {
      $0.restart(.sample)
      $0.boot = nil
    },
    Change("boot never known, clean", nil) {
      $0.restart(.sample)
      $0.boot = nil
      $0.pointer?.boot = nil
    },
    Change("other generation's stamp", .otherStamp) {
      $0.restart(Self.stamp { $0.generation = 2 })
    },
    Change("other file's stamp", .otherStamp) {
      $0.restart(Self.stamp { $0.file = File.Identity(device: 5, inode: 7) })
    },
    Change("written since", .writtenSince) { $0.restart(Self.stamp { $0.transaction = 43 }) },
    Change("put back", .writtenSince) { $0.restart(Self.stamp { $0.transaction = 45 }) },
    Change("clean beyond the log", .ahead) {
      $0.restart(.sample)
      $0.log.last = 89
    },
    Change("clean at the log's end", nil) {
      $0.restart(.sample)
      $0.log.last = 90
    },
  ]

  private static func stamp(_ change: (inout CleanStamp) -> Void) -> CleanStamp {
    var stamp = CleanStamp.sample
    change(&stamp)
    return stamp
  }

  @Test(arguments: changes) func trust_isForOneReason(change: Change) {
    var one = Case()
    change.make(&one)
    #expect(one.reason == change.reason)
  }

  /// For any two changes, views are trusted exactly if the documented rule trusts them.
  @Test func trust_isTheRule_forAnyTwoChanges() {
    var trusted = 0
    for first in Self.changes {
      for second in Self.changes {
        var one = Case()
        first.make(&one)
        second.make(&one)
        let isTrusted = one.rule
        trusted += isTrusted ? 1 : 0
        #expect((one.reason == nil) == isTrusted, "\(first) and \(second): \(one)")
      }
    }
    #expect(trusted > 20)
  }

  @Test func everyReason_isGiven_andHasASentence() {
    let given = Set(Self.changes.compactMap(\.reason)).union([
      .behindFloor, .otherHistory, .cutOff,
    ])
    #expect(given.count == 16)
    #expect(Set(given.map(\.description)).count == given.count)
    for reason in given { #expect(reason.description.hasSuffix(".")) }
  }

  private func reason(
    _ number: RecordNumber, chain: UInt32 = 1, there: UInt32? = 1, stamp: CleanStamp? = nil
  ) -> Distrust? {
    var log = LogStanding.sample()
    log.stamp = stamp
    let applied = LogPoint(number: number, chain: chain)
    return Trust(of: applied, in: 3, chainThere: there, log: log).reason
  }

  @Test func applied_isComparedWithTheLog() {
    #expect(reason(50) == nil)
    #expect(reason(10) == nil)
    #expect(reason(100) == nil)
    #expect(reason(9) == .behindFloor)
    #expect(reason(101, there: nil) == .ahead)
    #expect(reason(101) == .ahead)
    #expect(reason(50, there: nil) == .otherHistory)
    #expect(reason(50, there: 2) == .otherHistory)
    #expect(reason(90, chain: 9, there: 9, stamp: .sample) == nil)
    #expect(reason(91, stamp: .sample) == .writtenSince)
    #expect(reason(91, stamp: Self.stamp { $0.generation = 2 }) == nil)
  }
}

extension Trust {
  /// The reason for distrust, or `nil` if the views are trusted.
  var reason: Distrust? { if case .distrusted(let reason) = self { reason } else { nil } }
}

extension TrustTests.Case {
  /// Restarts the machine, and gives the log a stamp.
  fileprivate mutating func restart(_ stamp: CleanStamp) {
    boot = .before
    log.stamp = stamp
  }

  /// The rule as one expression.
  fileprivate var rule: Bool {
    guard let pointer, case .sound(let identity, let transaction) = found else { return false }
    let isSame =
      pointer.store == log.store && pointer.incarnation == log.incarnation
      && pointer.recipe == recipe && pointer.data == identity
    let hasRun = boot != nil && boot == pointer.boot
    let isClean =
      log.stamp.map {
        $0.generation == pointer.generation && $0.file == identity && $0.transaction == transaction
          && $0.applied.number <= log.last
      } ?? false
    return isSame && (hasRun || isClean)
  }
}
