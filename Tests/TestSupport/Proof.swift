package import Testing

/// A trait that names the rows of the tables in `Features.md` that a test proves.
///
/// The tables in turn name the tests: `RepositoryTests` compares the two.
package struct Proof: TestTrait, SuiteTrait {}

extension Trait where Self == Proof {
  /// Marks a test that proves features of the three systems, by number.
  package static func feature(_ numbers: Int...) -> Proof { Proof() }

  /// Marks a test that proves subtle rules, by number.
  package static func rule(_ numbers: Int...) -> Proof { Proof() }
}
