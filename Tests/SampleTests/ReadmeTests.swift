import Foundation
import TestSupport
import Testing

/// The program on the first page is one that runs.
@Suite struct ReadmeTests {
  @Test(.timeLimit(.minutes(5))) func program_printsWhatHappened() throws {
    let (process, output) = try Process.begun { process in
      let output = Pipe()
      process.executableURL = URL(fileURLWithPath: try Products.program("ReadmeProgram"))
      process.standardOutput = output
      return output
    }
    let text = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(text == "new: row 0 1/t1\nnew: row 1 1/t0\ngone: row 0\n")
    #expect(process.terminationStatus == 0)
  }
}
