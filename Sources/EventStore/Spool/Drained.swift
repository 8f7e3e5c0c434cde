/// The result of draining a spool.
public struct Drained: Hashable, Sendable {
  /// A file that did not become a record.
  public struct Refusal: Hashable, Sendable {
    /// The name that the file has now, in the same folder.
    public let name: String
    /// Why the file was refused.
    public let damage: SpoolDamage

    /// A refusal of a file.
    package init(name: String, damage: SpoolDamage) {
      self.name = name
      self.damage = damage
    }
  }

  /// The numbers of the records that were appended, in the order of the events.
  public internal(set) var records: [RecordNumber]
  /// The files that were refused; they are kept.
  public internal(set) var refused: [Refusal]

  /// A result with the given records and refusals.
  package init(records: [RecordNumber] = [], refused: [Refusal] = []) {
    self.records = records
    self.refused = refused
  }
}

/// Why a file of a spool was refused.
public enum SpoolDamage: Error, Hashable, Sendable {
  /// The file is not a spool file.
  case foreign
  /// A later version wrote the file; its log can drain the file once the old name is restored.
  case newerFormat(Int)
  /// The file is truncated or doesn't match its checksum.
  case damaged
  /// The file is larger than any event can be.
  case tooLarge
  /// The system can't read the file; it keeps its name, and the next drain retries it.
  case unreadable(String)
}
