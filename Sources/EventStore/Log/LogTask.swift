/// A task that is done on a log slice by slice, as kept in the store's own record: the next process
/// to open the log after a crash finds what is left to do.
package enum LogTask: Hashable, Sendable {
  /// A baseline is being written that nobody reads yet.
  case staging(Staging)
  /// The floor has moved: what is below it, and the previous baseline, are being removed.
  case sweeping
  /// Payloads are being erased.
  case erasing(Erasing)
  /// Remnants of erased payloads in the file are being overwritten; the last erasure, if known.
  case wiping(Erasing?)

  /// A baseline being written.
  package struct Staging: Hashable, Sendable {
    /// The floor that the baseline is for.
    package let floor: RecordNumber
    /// The part of the baseline that exists.
    package var baseline: Baseline
    /// Its last record so far.
    package var last: RecordNumber

    /// Creates a partial baseline.
    package init(floor: RecordNumber, baseline: Baseline, last: RecordNumber) {
      (self.floor, self.baseline, self.last) = (floor, baseline, last)
    }
  }

  /// The payloads to erase, and the progress.
  package struct Erasing: Hashable, Sendable {
    /// The selection of payloads.
    package let selection: Erasure
    /// The last record that can be among them.
    package let through: RecordNumber
    /// The key to continue from.
    package var next: UInt64

    /// Creates an erasure with its progress.
    package init(selection: Erasure, through: RecordNumber, next: UInt64) {
      (self.selection, self.through, self.next) = (selection, through, next)
    }
  }

  /// Whether records may exist after the log's last one during the task.
  var usesAreas: Bool {
    switch self {
    case .staging, .sweeping: true
    case .erasing, .wiping: false
    }
  }
}

extension LogTask {
  fileprivate enum Field {
    static let kind = 1
    static let floor = 2
    static let area = 3
    static let count = 4
    static let end = 5
    static let last = 6
    static let next = 7
    static let through = 8
    static let selection = 9
  }

  private enum Kind {
    static let staging: Int64 = 1
    static let sweeping: Int64 = 2
    static let erasing: Int64 = 3
    static let wiping: Int64 = 4
  }

  /// Writes the task's encoding.
  func write(to writer: inout PayloadWriter) {
    switch self {
    case .staging(let staging):
      writer.put(Field.kind, Kind.staging)
      staging.write(to: &writer)
    case .sweeping: writer.put(Field.kind, Kind.sweeping)
    case .erasing(let erasing):
      writer.put(Field.kind, Kind.erasing)
      erasing.write(to: &writer)
    case .wiping(let erasing):
      writer.put(Field.kind, Kind.wiping)
      erasing?.write(to: &writer)
    }
  }

  /// Decodes a task, or returns `nil` if this version doesn't know it.
  init?(_ fields: PayloadFields, of store: StoreID) {
    switch fields.number(Field.kind).map(Int64.init(bitPattern:)) {
    case Kind.staging:
      guard let staging = Staging(fields, of: store) else { return nil }
      self = .staging(staging)
    case Kind.sweeping: self = .sweeping
    case Kind.erasing:
      guard let erasing = Erasing(fields) else { return nil }
      self = .erasing(erasing)
    case Kind.wiping: self = .wiping(Erasing(fields))
    default: return nil
    }
  }
}

extension LogTask.Staging {
  fileprivate typealias Field = LogTask.Field

  fileprivate func write(to writer: inout PayloadWriter) {
    writer.put(Field.floor, Int64(bitPattern: floor.rawValue))
    writer.put(Field.area, Int64(baseline.area))
    writer.put(Field.count, Int64(bitPattern: baseline.count))
    writer.put(Field.end, Int64(baseline.end.value))
    writer.put(Field.last, Int64(bitPattern: last.rawValue))
  }

  fileprivate init?(_ fields: PayloadFields, of store: StoreID) {
    guard let floor = fields.number(Field.floor), let area = fields.number(Field.area),
      let count = fields.number(Field.count), let end = fields.number(Field.end),
      let last = fields.number(Field.last), KeySpace.baselines.contains(area)
    else { return nil }
    self.floor = RecordNumber(rawValue: floor)
    baseline = Baseline(upTo: self.floor, of: store, in: area)
    baseline.count = count
    baseline.end = Chain(UInt32(truncatingIfNeeded: end))
    self.last = RecordNumber(rawValue: last)
  }
}

extension LogTask.Erasing {
  fileprivate typealias Field = LogTask.Field

  fileprivate func write(to writer: inout PayloadWriter) {
    writer.put(Field.next, Int64(bitPattern: next))
    writer.put(Field.through, Int64(bitPattern: through.rawValue))
    writer.putFields(Field.selection) { selection.write(to: &$0) }
  }

  fileprivate init?(_ fields: PayloadFields) {
    guard let next = fields.number(Field.next), let through = fields.number(Field.through),
      case .fields(let selection)? = fields[Field.selection]
    else { return nil }
    self.next = next
    self.through = RecordNumber(rawValue: through)
    self.selection = Erasure(selection)
  }
}

extension PayloadFields {
  /// Returns the integer of a field as an unsigned one.
  func number(_ field: Int) -> UInt64? {
    guard case .integer(let integer)? = self[field] else { return nil }
    return UInt64(bitPattern: integer)
  }
}
