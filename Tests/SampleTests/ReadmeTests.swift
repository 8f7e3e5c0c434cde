import Foundation
import TestSupport
import Testing

/// The program in the README runs and prints what happens.
@Suite struct ReadmeTests {
  @Test(.timeLimit(.minutes(5))) func program_printsWhatHappened() throws {
    let outcome = try Program("ReadmeProgram").run()
    #expect(outcome.output == "new: row 0 1/t1\nnew: row 1 1/t0\ngone: row 0\n")
    #expect(outcome.failure == nil)
  }
}
