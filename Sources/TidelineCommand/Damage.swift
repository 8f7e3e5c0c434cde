import EventStore

/// Records that are damaged, lost or missing, which what is shown is made without.
enum Damage {
  /// So many are named.
  private static let namedMax = 5

  /// Does what shows something of a log, and says, however that went, which records it is made
  /// without.
  ///
  /// They are those of the events that were left out that are damaged or were lost, and what is
  /// missing before the first. Where any is damaged something is wrong, even where nothing else is.
  static func status(
    of log: Log, in folder: String, leavingOut refused: () throws -> [RefusedEvent],
    _ body: () async throws -> ExitStatus
  ) async throws -> ExitStatus {
    let result: Result<ExitStatus, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    guard !Task.isCancelled else { return try result.get() }
    let left = Result { try refused() }
    // That something is not there may be for want of these.
    let isWhole = say((try? left.get()) ?? [], of: log, in: folder)
    let status = try result.get()
    _ = try left.get()
    return isWhole || status != .done ? status : .failed
  }

  /// Says which records are left out; and whether none of them is damaged.
  private static func say(_ refused: [RefusedEvent], of log: Log, in folder: String) -> Bool {
    sayMissing(from: log)
    var (damaged, lost): ([RefusedEvent], [ClosedRange<RecordNumber>]) = ([], [])
    for event in refused {
      let record = (try? log.read { snapshot in try snapshot.record(event.number) }) ?? nil
      switch record?.header.kind {
      case nil: damaged.append(event)
      case .lost: lost.add(event.number)
      // What can be read the reducer refused.
      default: continue
      }
    }
    say(lost, in: folder)
    for event in damaged.prefix(namedMax) {
      Output.complain("tideline: \(event.reason) What is shown is made without it.")
    }
    let left = damaged.count - namedMax
    if left > 0 { complain(of: left, in: folder) }
    return damaged.isEmpty
  }

  /// Says how many records are damaged, apart from those that were named.
  static func complain(of count: Int, in folder: String) {
    let records = count == 1 ? "1 record is" : "\(count) records are"
    Output.complain("tideline: \(records) damaged, and left out; see: tideline check \(folder)")
  }

  /// Says which records were lost: nothing more can be done about it.
  private static func say(_ lost: [ClosedRange<RecordNumber>], in folder: String) {
    guard !lost.isEmpty else { return }
    let count = lost.reduce(0) { $0 + $1.lowerBound.distance(to: $1.upperBound) + 1 }
    let named = lost.prefix(namedMax).map { range in
      range.lowerBound == range.upperBound
        ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
    }
    let more = lost.count > namedMax ? " and others" : ""
    Output.complain(
      "tideline: \(count == 1 ? "1 record was" : "\(count) records were") lost: "
        + "\(named.joined(separator: ", "))\(more). What is shown is made without "
        + "\(count == 1 ? "it" : "them"); see: tideline log \(folder) --kind lost")
  }

  /// Says where the log begins in the middle, and nothing stands for what came before.
  private static func sayMissing(from log: Log) {
    guard log.floor > .zero, !log.hasBaseline else { return }
    Output.complain(
      "tideline: records up to \(log.floor) are missing, and nothing stands for them. What is "
        + "shown is made without them.")
  }
}
