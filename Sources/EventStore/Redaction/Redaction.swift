/// How to replace the texts in a log so that the log can be shared.
///
/// A pseudonym replaces each text. Equal texts get equal pseudonyms wherever they occur, different
/// texts get different ones, and the pseudonyms are about as long as the texts and sort in the same
/// order. Rows, lists, and threads therefore come out the same; see <doc:ExportFormat>. Numbers,
/// times, and Booleans stay unchanged.
public struct Redaction: Sendable {
  /// How to treat a text or bytes.
  public enum Treatment: Sendable {
    /// Keeps the value unchanged.
    case kept
    /// Replaces the value in the order of its bytes, like an id.
    case ordered
    /// Replaces the value in the order of its folded form, like a name.
    case folded
    /// Replaces the value with an unordered one of the same length, except for searched-for words.
    case prose
    /// Replaces each text and number within JSON.
    case json
    /// Replaces the id after the given number of slashes and keeps the part before it; keeps the
    /// whole value if it has fewer slashes.
    case path(slashes: Int)
    /// Replaces the text or bytes with a function's result.
    case replaced(@Sendable ([UInt8], Pseudonyms) -> [UInt8])
  }

  /// The field to treat.
  public struct Place: Sendable {
    /// The kind of the record.
    public let kind: EventKind
    /// The numbers of the fields on the path to the field; items of a list share the list's number.
    public internal(set) var path: [Int] = []
    /// The integers in field 1 of each enclosing group of fields, outermost first, which often
    /// tell what kind the other fields are.
    public internal(set) var heads: [Int64?] = []
  }

  /// The secret that determines the pseudonyms: equal secrets yield equal pseudonyms.
  public var secret: String
  /// Returns the treatment of a field.
  public var treatment: @Sendable (Place) -> Treatment = { _ in .ordered }
  /// The texts that stay unchanged wherever they make up a whole text, such as the names of
  /// well-known tags; other texts keep their order relative to them.
  public var kept: Set<String> = []
  /// The prefixes that stay unchanged; other texts keep their order relative to texts that begin
  /// with one that ends in a mark less than digits, such as `-`.
  public var prefixes: Set<String> = []
  /// The words that stay unchanged within prose.
  public var words: Set<String> = []
  /// Folds a text for ordering and comparing names.
  public var folding: @Sendable (String) -> String = { $0.lowercased() }
  /// Whether an integer is a hash of something confidential.
  public var isHash: @Sendable (Place) -> Bool = { _ in false }
  /// Returns the name behind a record's entity fingerprint, given the redacted payload, if known.
  public var entity: @Sendable (RecordHeader, [UInt8]) -> String? = { _, _ in nil }

  /// Creates a redaction that replaces every text in the order of its bytes.
  ///
  /// - Parameter secret: The secret; anyone who knows it can test whether a guessed text is
  ///   present.
  public init(secret: String) { self.secret = secret }
}
