import LMDB

/// A condition that a row must meet to belong to a view.
///
///     let isUnread = Item.isRead == false && Item.tags.contains("inbox")
///
/// A condition is either true or false for every row, even if the row's fields are `nil`:
///
/// - `==` and `!=` work as for Swift's optionals: `nil` equals only `nil`.
/// - `<`, `<=`, `>`, `>=`, ``Field/isOne(of:)``, ``Field/hasPrefix(_:)``, ``Field/contains(_:)``
///   and ``Field/intersects(_:)`` are false for `nil`; so `!(Item.date > x)` is true for it.
/// - Texts compare by the scalars of their NFC forms: canonically equivalent texts are equal.
/// - Doubles compare as in Swift: nothing is less than, equal to or greater than NaN.
///
/// - Precondition: Conditions are nested at most ``depthMax`` deep.
public struct Condition: Hashable, Sendable {
  /// The maximum nesting depth of conditions.
  ///
  /// A chain of `&&` or of `||`, however long, is one level; each `!` is one.
  public static let depthMax = 128

  /// The terms of a condition.
  package indirect enum Term: Hashable, Sendable {
    /// True or false for all rows.
    case constant(Bool)
    /// The field has a value.
    case isPresent(FieldDeclaration)
    /// The field has a value that compares to a constant in this way.
    case comparison(FieldDeclaration, Comparison, Constant)
    /// The field has one of the values.
    case isOneOf(FieldDeclaration, [Constant])
    /// The field's text begins with the prefix.
    case hasPrefix(FieldDeclaration, String)
    /// The field's texts include at least one of these.
    case intersects(FieldDeclaration, [String])
    /// All conditions hold.
    case all([Condition])
    /// At least one condition holds.
    case any([Condition])
    /// The condition does not hold.
    case not(Condition)

    /// The conditions that the term consists of.
    fileprivate var parts: [Condition] {
      switch self {
      case .all(let parts), .any(let parts): parts
      case .not(let part): [part]
      default: []
      }
    }
  }

  /// A comparison of a value to a constant.
  package enum Comparison: UInt8, Hashable, Sendable {
    case equal = 1
    case less
    case lessOrEqual
    case greater
    case greaterOrEqual
  }

  /// A value as a row stores it.
  package enum Constant: Hashable, Sendable {
    /// A fixed-size value.
    case word(UInt64)
    /// A text.
    case text(String)
  }

  package let term: Term
  /// The nesting depth of the condition.
  package let depth: Int

  package init(_ term: Term) {
    self.term = term
    depth = 1 + (term.parts.map(\.depth).max() ?? 0)
    precondition(
      depth <= Self.depthMax,
      "conditions \(depth) deep within each other; the limit is \(Self.depthMax)")
  }

  /// True for every row.
  public static let always = Condition(.constant(true))
  /// True for no row.
  public static let never = Condition(.constant(false))

  /// True if both conditions are true.
  public static func && (left: Condition, right: Condition) -> Condition {
    Condition(.all(left.conjuncts + right.conjuncts))
  }

  /// True if at least one condition is true.
  public static func || (left: Condition, right: Condition) -> Condition {
    Condition(.any(left.disjuncts + right.disjuncts))
  }

  /// True if the condition is false.
  public static prefix func ! (condition: Condition) -> Condition { Condition(.not(condition)) }

  // Chains stay flat, so that long ones don't become deep.
  private var conjuncts: [Condition] {
    if case .all(let parts) = term { parts } else { [self] }
  }

  private var disjuncts: [Condition] {
    if case .any(let parts) = term { parts } else { [self] }
  }
}

extension FieldValue {
  /// The value as a condition stores it.
  package var constant: Condition.Constant {
    Self.fieldKind == .text ? .text(text) : .word(word)
  }
}
