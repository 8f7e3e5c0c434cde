import Foundation

/// Ends this process within a second after its parent, so that no worker goes on for a test that
/// was killed.
///
/// A worker calls this before its first answer. If its parent is gone even before that, this
/// notices nothing, but then the worker's input has ended as well.
///
/// Comparing the parent's number now and then works on every system. Linux could send a signal
/// instead (`PR_SET_PDEATHSIG`), but it does so when the *thread* that began the process ends, and
/// Swift's pools end threads at any time. The end of the input is no sign either: a busy worker
/// doesn't read, and the input of `SeedRunner` may have ended from the start.
package func endWithParent() {
  let parent = getppid()
  Thread.detachNewThread {
    while getppid() == parent { Thread.sleep(forTimeInterval: 1) }
    // Nothing is cleaned up, because other threads are still at work.
    _exit(1)
  }
}
