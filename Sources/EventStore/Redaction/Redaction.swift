/// How texts in a log are replaced, so that it can be shown to others.
///
/// What replaces a text is a pseudonym: the same for the same text wherever it stands, another for
/// another, about as long, and in the same order as the texts are. So rows, lists and threads come
/// to the same; see <doc:ExportFormat>. Numbers, times and truths stay as they are.
public struct Redaction: Sendable {
  /// What becomes of a text, or of bytes.
  public enum Treatment: Sendable {
    /// It stays as it is.
    case kept
    /// It is replaced in the order of its bytes, as ids are ordered.
    case ordered
    /// It is replaced in the order of its folded form, as names are ordered.
    case folded
    /// It is replaced by one of the same length in no order, but for words that are searched for.
    case prose
    /// It is JSON, of which each text and each number is replaced.
    case json
    /// It is an id behind so many slashes, and what is before them stays as it is; so does all
    /// of it where there are fewer.
    case path(slashes: Int)
    /// It is replaced by what a function makes of it, text or bytes.
    case replaced(@Sendable ([UInt8], Pseudonyms) -> [UInt8])
  }

  /// The field that is asked about.
  public struct Place: Sendable {
    /// The kind of the record.
    public let kind: EventKind
    /// The numbers of the fields on the way to it; the items of a list share the list's own.
    public internal(set) var path: [Int] = []
    /// The integers that the fields around it have under number 1, from the outermost on: often
    /// they say of what kind the others are.
    public internal(set) var heads: [Int64?] = []
  }

  /// What pseudonyms are made with: the same secret makes the same ones.
  public var secret: String
  /// What becomes of a field.
  public var treatment: @Sendable (Place) -> Treatment = { _ in .ordered }
  /// The texts that stay as they are wherever they are all of a text, such as the names of
  /// well-known tags; others stay where they were in the order beside them.
  public var kept: Set<String> = []
  /// The beginnings that stay as they are.
  public var prefixes: Set<String> = []
  /// The words that stay as they are within prose.
  public var words: Set<String> = []
  /// A text as names are ordered and compared by.
  public var folding: @Sendable (String) -> String = { $0.lowercased() }
  /// Whether an integer is a hash of what is not to be told.
  public var isHash: @Sendable (Place) -> Bool = { _ in false }
  /// The name that a record's entity is the fingerprint of, by its payload, where that is known.
  public var entity: @Sendable (RecordHeader, [UInt8]) -> String? = { _, _ in nil }

  /// A redaction that replaces every text in the order of its bytes.
  ///
  /// - Parameter secret: Who knows it can find out whether a text that he thinks of is there.
  public init(secret: String) { self.secret = secret }
}
