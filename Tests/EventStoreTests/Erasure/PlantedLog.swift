import EventStore
import Foundation
import LMDB
import TestSupport
import Testing

/// A log in which some payloads are to be erased, each with a text to search for.
struct PlantedLog {
  /// The beginning of every text that must not be found.
  static let mark = "planted-"

  let folder: TemporaryFolder
  var log: Log
  private var generator: SeededGenerator
  /// The records with planted texts: of one account, about one entity, or neither (`plain`).
  private(set) var planted: [RecordNumber] = []
  private(set) var plain: [RecordNumber] = []
  private(set) var texts: [String] = []

  init(seed: UInt64) async throws {
    folder = try TemporaryFolder()
    log = try await Log.open(at: folder.path)
    generator = SeededGenerator(seed: seed)
  }

  /// The erasure that selects all planted records.
  var erasure: Erasure {
    Erasure(
      accounts: [7], entities: [Fingerprint(rawValue: 77)], numbers: plain.map { $0...$0 })
  }

  /// Appends records of all sizes, `count` of them with planted texts.
  mutating func plant(_ count: Int) async throws {
    var left = count
    while left > 0 {
      var batch = Batch()
      let first = try log.last
      for index in 1...Int.random(in: 1...40, using: &generator) {
        let isPlanted = left > 0 && Bool.random(using: &generator)
        if isPlanted { left -= 1 }
        add(to: &batch, first.advanced(by: index), isPlanted)
      }
      try await log.append(batch, durability: Bool.random(using: &generator) ? .full : .relaxed)
    }
  }

  private mutating func add(to batch: inout Batch, _ number: RecordNumber, _ isPlanted: Bool) {
    var event = Event.note
    let size =
      [10, 100, 1000, 1990, 2010, 2500, 4060, 4090, 6000, 20_000]
      .randomElement(using: &generator) ?? 10
    if isPlanted {
      planted.append(number)
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: event.login = Login(account: 7, epoch: 1)
      case 1: event.entity = Fingerprint(rawValue: 77)
      default: plain.append(number)
      }
    } else if Bool.random(using: &generator) {
      event.login = Login(account: 8, epoch: 1)
    }
    let text = isPlanted ? "\(Self.mark)\(number)-" : "other \(number) "
    let whole =
      isPlanted ? String(repeating: text, count: size / text.count + 1) : text.padded(to: size)
    texts.append(isPlanted ? "?" : whole)
    batch.add(event) { $0.put(1, whole) }
  }

  /// Expects everything except the planted texts to be there.
  func expectRest(_ comment: Comment) throws {
    #expect(try log.texts() == texts, comment)
    try log.checkInvariants()
  }

  /// Returns where in a folder's files the mark of planted texts, or most of it, is found.
  ///
  /// LMDB's lock files hold no payload. Closing one would release this process's locks on it, and
  /// others would take the process for dead.
  static func marks(in folder: String) throws -> [String] {
    var found: [String] = []
    let files = FileManager.default.enumerator(atPath: folder)
    while let name = files?.nextObject() as? String {
      guard !name.hasSuffix("lock.mdb") else { continue }
      let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
      for part in [Data(mark.utf8), Data(mark.utf8.dropFirst(2))] {
        if let range = bytes.range(of: part) { found.append("\(name) at \(range.lowerBound)") }
      }
    }
    return found
  }
}
