package import Testing

/// Says which rows of the tables in `Features.md` a test proves.
///
/// The tables name the tests in turn: `RepositoryTests` compares them with what is said here.
package struct Proof: TestTrait, SuiteTrait {}

extension Trait where Self == Proof {
  /// Proves features of the three systems, by their numbers.
  package static func feature(_ numbers: Int...) -> Proof { Proof() }

  /// Proves subtle rules, by their numbers.
  package static func rule(_ numbers: Int...) -> Proof { Proof() }
}
