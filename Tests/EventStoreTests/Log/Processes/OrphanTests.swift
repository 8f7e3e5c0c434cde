import Foundation
import LMDB
import Processes
import TestSupport
import Testing

/// Worker processes whose parent is gone.
@Suite(.timeLimit(.minutes(5))) struct OrphanTests {
  /// Neither is a worker told so, nor does its input end.
  @Test(arguments: ["LogWorker", "StoreWorker"])
  func worker_withoutParent_ends(_ program: String) async throws {
    let (input, output) = (Pipe(), Pipe())
    // A shell gives a command in the background another input, unless it is told not to.
    let parent = try ChildProcess(
      "/bin/sh", ["-c", "exec 3<&0; \"$0\" <&3 & wait", Products.program(program)],
      input: .pipe(input), output: .pipe(output))
    let group = -parent.number
    let answers = output.fileHandleForReading
    try input.fileHandleForWriting.write(contentsOf: Data("hello\n".utf8))
    #expect(!answers.availableData.isEmpty)
    // Ends the shell alone, and not its group.
    kill(parent.number, SIGKILL)
    await parent.ended()
    // The worker was the last that could write.
    let rest: Data? = await withTaskCancellationHandler {
      await answered { (answer: ResumeOnce<Data?>) in
        _ = WorkerThread { answer.resume(try? answers.readToEnd()) }
      }
    } onCancel: {
      kill(group, SIGKILL)
    }
    withExtendedLifetime(input) { #expect(rest ?? Data() == Data()) }
  }
}
