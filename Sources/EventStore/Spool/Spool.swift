import LMDB
import Synchronization

/// A folder of single events bound for a log, for processes that must not hold the log's locks.
///
///     let spool = try Spool(at: folder)
///     try spool.write(Event(kind: arrived, recordedAt: now), about: "message/17") { writer in
///       writer.put(1, "Lunch?")
///     }
///
/// Writing takes no lock and no more memory than the event. ``Log/drain(_:)`` turns each written
/// event into exactly one record, even across crashes. A spool belongs to one log: if two logs
/// drained it, both could take the same event. See <doc:SpoolFormat>.
public final class Spool: Sendable {
  /// The maximum length of an entity's name, in bytes.
  public static let entityBytesMax = 4 << 10
  /// The maximum number of attempts at a write whose file a drain removed, or whose name is taken.
  static let triesMax = 64

  /// The path of the folder.
  public let path: String
  let folder: Folder
  private let names: Mutex<SpoolNames>

  /// Opens the spool in a folder, which is created if missing; its parent must exist.
  ///
  /// Blocks for the disk. `random` keeps the file names of different processes apart, so no two
  /// processes may draw the same numbers.
  public init(
    at path: String,
    random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) throws(LogError) {
    self.path = path
    folder = Folder(path)
    names = Mutex(SpoolNames(random: random))
    do throws(LMDBError) {
      try folder.create()
      // Another process may have created it but not flushed yet, so always flush.
      try folder.folder("..").flush()
    } catch {
      throw LogError(error, path: path)
    }
  }

  /// Writes an event whose payload is written by `encode`.
  ///
  /// The event is durable when this returns. The call blocks for that, so don't make it on the main
  /// actor. Events are drained in the order of their `recordedAt`, and events of one spool with
  /// equal times in the order of writing. The log computes the fingerprint of the name in `entity`.
  /// Traps if `entity` is given and the event already has one, or if the event refers to a record
  /// of its batch, as it has none.
  ///
  /// - Returns: The name of the file.
  /// - Throws: `failed` if the event may have been written; after any other error it was not.
  @discardableResult
  public func write(
    _ event: Event, about entity: String? = nil, _ encode: (inout PayloadWriter) -> Void
  ) throws(LogError) -> String {
    try write(event, entity) { bytes in PayloadWriter.write(into: &bytes, encode) }
  }

  /// Writes an event with an encoded payload; otherwise the same as the other `write`.
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

  /// Makes names durable; if that fails, they may be durable all the same.
  private func flush() throws(LogError) {
    do throws(LMDBError) {
      try folder.flush()
    } catch {
      throw .failed(path: path, detail: error.description)
    }
  }

  /// Puts a file in place under a unique name.
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

  /// Puts a file in place; it is complete and flushed before it gets its name.
  ///
  /// - Throws: `missing` if a drain removed the unfinished file, `keyExists` if the name is taken.
  private func place(_ bytes: [UInt8], as name: String) throws(LMDBError) {
    let unfinished = name + SpoolNames.unfinished
    let file = try File(folder.path(of: unfinished), .create)
    do throws(LMDBError) {
      try file.write(bytes)
      try file.flush()
      guard !folder.contains(name) else { throw LMDBError(.keyExists, folder.path(of: name)) }
      try folder.rename(unfinished, to: name)
    } catch {
      // The disk may be full. If the file can't be removed here, a drain removes it.
      try? folder.remove(unfinished)
      throw error
    }
  }
}
