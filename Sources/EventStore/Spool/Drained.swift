/// What a drain found in a spool.
public struct Drained: Hashable, Sendable {
  /// A file that did not become a record.
  public struct Refusal: Hashable, Sendable {
    /// The name that the file has now, in the same folder.
    public let name: String
    /// Why.
    public let damage: SpoolDamage

    /// What became of a file.
    package init(name: String, damage: SpoolDamage) {
      self.name = name
      self.damage = damage
    }
  }

  /// The numbers of the records that were appended, in the order of the events.
  public internal(set) var records: [RecordNumber]
  /// The files that were refused, and are kept.
  public internal(set) var refused: [Refusal]

  /// What a drain came to.
  package init(records: [RecordNumber] = [], refused: [Refusal] = []) {
    self.records = records
    self.refused = refused
  }
}

/// Why a file of a spool was refused.
public enum SpoolDamage: Error, Hashable, Sendable {
  /// It is not a file of a spool.
  case foreign
  /// It was written by a later version, whose log can drain it once it has its old name again.
  case newerFormat(Int)
  /// It is cut off, or not what its checksum says.
  case damaged
  /// It has more bytes than any event can have.
  case tooLarge
  /// The system can't read it; it has kept its name, and the next drain tries again.
  case unreadable(String)
}
