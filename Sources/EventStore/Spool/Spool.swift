import LMDB
import Synchronization

/// A folder of single events on their way into a log, for processes that must not hold its locks.
///
///     let spool = try Spool(at: folder)
///     try spool.write(Event(kind: arrived, recordedAt: now), about: "message/17") { writer in
///       writer.put(1, "Lunch?")
///     }
///
/// Writing takes no lock and no more memory than the event; ``Log/drain(_:)`` makes records of
/// what was written, each of it once, whatever crashes between. A spool belongs to one log: two
/// that drain it could both take an event. See <doc:SpoolFormat>.
public final class Spool: Sendable {
  /// The bytes that the name of an entity may have.
  public static let entityBytesMax = 4 << 10
  /// How often a write begins again where a drain took its unfinished file for a forgotten one.
  static let triesMax = 64

  /// The folder.
  public let path: String
  let folder: Folder
  private let names: Mutex<SpoolNames>

  /// The spool in a folder, which is made where it is missing; its parent must be there.
  ///
  /// It blocks for the disk. `random` tells the files of processes apart, so no two may draw the
  /// same.
  public init(
    at path: String,
    random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) throws(LogError) {
    self.path = path
    folder = Folder(path)
    names = Mutex(SpoolNames(random: random))
    do throws(LMDBError) {
      try folder.create()
      // Another process may have made it and not come as far as this, so it is flushed always.
      try folder.folder("..").flush()
    } catch {
      throw LogError(error, path: path)
    }
  }

  /// Writes an event whose payload is written by `encode`.
  ///
  /// When it returns, the event is on the medium. It blocks for that: not for the main actor.
  /// Events are drained in the order of their `recordedAt`; those that one spool wrote with the
  /// same, in the order of writing. Of the name of `entity` the log makes the fingerprint. Traps
  /// where the event has one already, and where it names a record of its batch, as it has none.
  ///
  /// - Returns: The name of the file.
  /// - Throws: `failed`: it may have been written. Anything else: it was not.
  @discardableResult
  public func write(
    _ event: Event, about entity: String? = nil, _ encode: (inout PayloadWriter) -> Void
  ) throws(LogError) -> String {
    try write(event, entity) { bytes in PayloadWriter.write(into: &bytes, encode) }
  }

  /// Writes an event with a payload that is encoded already, as the other does.
  @discardableResult
  public func write(
    _ event: Event, about entity: String? = nil, payload: RawSpan = RawSpan()
  ) throws(LogError) -> String {
    try write(event, entity) { bytes in bytes.append(copying: payload) }
  }

  private func write(
    _ event: Event, _ entity: String?, _ append: (inout [UInt8]) -> Void
  ) throws(LogError) -> String {
    let bytes = try SpoolFile.bytes(of: event, about: entity, appendingPayload: append)
    let name: String
    do throws(LMDBError) {
      name = try place(bytes, at: event.recordedAt)
    } catch {
      throw LogError(error, path: path)
    }
    try flush()
    return name
  }

  /// Makes names durable; where that fails, they may be so all the same.
  private func flush() throws(LogError) {
    do throws(LMDBError) {
      try folder.flush()
    } catch {
      throw .failed(path: path, detail: error.description)
    }
  }

  /// Puts a file in its place, under a name of its own.
  private func place(_ bytes: [UInt8], at moment: Timestamp) throws(LMDBError) -> String {
    var tries = 1
    while true {
      let name = names.withLock { $0.next(at: moment) }
      do throws(LMDBError) {
        try place(bytes, as: name)
        return name
      } catch {
        guard [.missing, .keyExists].contains(error.code), tries < Self.triesMax else {
          throw error
        }
        tries += 1
      }
    }
  }

  /// Puts a file in its place, whole and flushed before it has its name.
  ///
  /// - Throws: `missing` where a drain removed it unfinished, `keyExists` where the name is taken.
  private func place(_ bytes: [UInt8], as name: String) throws(LMDBError) {
    let unfinished = name + SpoolNames.unfinished
    let file = try File(folder.path(of: unfinished), .create)
    do throws(LMDBError) {
      try file.write(bytes)
      try file.flush()
      guard !folder.contains(name) else { throw LMDBError(.keyExists, folder.path(of: name)) }
      try folder.rename(unfinished, to: name)
    } catch {
      // The room may be what is missing. Where it can't be removed, a drain will see to it.
      try? folder.remove(unfinished)
      throw error
    }
  }
}
