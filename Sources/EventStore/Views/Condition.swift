import LMDB

/// What a row must be like to belong to a view.
///
///     let isUnread = Item.isRead == false && Item.tags.contains("inbox")
///
/// A condition is true or false of every row, also of one whose fields are `nil`:
///
/// - `==` and `!=` are those of Swift's optionals: `nil` equals `nil` only.
/// - `<`, `<=`, `>`, `>=`, ``Field/isOne(of:)``, ``Field/hasPrefix(_:)``, ``Field/contains(_:)``
/// and
///   ``Field/intersects(_:)`` are false of `nil`; so `!(Item.date > x)` is true of it.
/// - Texts compare by the scalars of their NFC forms: canonically equivalent ones are the same.
/// - Doubles compare as Swift's do: nothing is less than, equal to or greater than NaN.
///
/// - Precondition: Conditions lie at most ``depthMax`` deep within each other.
public struct Condition: Hashable, Sendable {
  /// How deep conditions may lie within each other.
  ///
  /// However long, a chain of `&&` or of `||` is one level; each `!` is one.
  public static let depthMax = 128

  /// What a condition consists of.
  package indirect enum Term: Hashable, Sendable {
    /// True or false of all rows.
    case constant(Bool)
    /// The field has a value.
    case isPresent(FieldDeclaration)
    /// The field has a value that stands so to a constant.
    case comparison(FieldDeclaration, Comparison, Constant)
    /// The field has one of the values.
    case isOneOf(FieldDeclaration, [Constant])
    /// The field's text begins so.
    case hasPrefix(FieldDeclaration, String)
    /// The field's texts and these have one in common.
    case intersects(FieldDeclaration, [String])
    /// All hold.
    case all([Condition])
    /// At least one holds.
    case any([Condition])
    /// It does not hold.
    case not(Condition)

    /// The conditions that it consists of.
    fileprivate var parts: [Condition] {
      switch self {
      case .all(let parts), .any(let parts): parts
      case .not(let part): [part]
      default: []
      }
    }
  }

  /// How a value stands to a constant.
  package enum Comparison: UInt8, Hashable, Sendable {
    case equal = 1
    case less
    case lessOrEqual
    case greater
    case greaterOrEqual
  }

  /// A value as a row would hold it.
  package enum Constant: Hashable, Sendable {
    /// A value of fixed size.
    case word(UInt64)
    /// A text.
    case text(String)
  }

  package let term: Term
  /// How deep conditions lie within each other here.
  package let depth: Int

  package init(_ term: Term) {
    self.term = term
    depth = 1 + (term.parts.map(\.depth).max() ?? 0)
    precondition(
      depth <= Self.depthMax,
      "conditions \(depth) deep within each other; the limit is \(Self.depthMax)")
  }

  /// True of every row.
  public static let always = Condition(.constant(true))
  /// True of no row.
  public static let never = Condition(.constant(false))

  /// True where both are.
  public static func && (left: Condition, right: Condition) -> Condition {
    Condition(.all(left.conjuncts + right.conjuncts))
  }

  /// True where at least one is.
  public static func || (left: Condition, right: Condition) -> Condition {
    Condition(.any(left.disjuncts + right.disjuncts))
  }

  /// True where the condition is not.
  public static prefix func ! (condition: Condition) -> Condition { Condition(.not(condition)) }

  // Chains stay flat, so that long ones are no deep ones.
  private var conjuncts: [Condition] {
    if case .all(let parts) = term { parts } else { [self] }
  }

  private var disjuncts: [Condition] {
    if case .any(let parts) = term { parts } else { [self] }
  }
}

extension FieldValue {
  /// The value as a condition keeps it.
  package var constant: Condition.Constant {
    withStored { stored in
      Self.fieldKind == .text ? .text(stored.bytes.text ?? "") : .word(stored.word)
    }
  }
}
