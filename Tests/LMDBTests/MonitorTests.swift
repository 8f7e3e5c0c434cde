import LMDB
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct MonitorTests {
  /// Each pair passes a ball back and forth, and every pass notifies all players.
  @Test func whoWaits_isWoken() {
    let balls = Monitor([0, 0, 0])
    let rounds = 2_000
    let players = (0..<6).map { player in
      WorkerThread {
        let (ball, side) = (player / 2, player % 2)
        for _ in 0..<rounds {
          balls.withLock(when: { $0[ball] % 2 == side }) { $0[ball] += 1 }
          balls.notify()
        }
      }
    }
    players.forEach { $0.join() }
    #expect(balls.withLock { $0 } == [2 * rounds, 2 * rounds, 2 * rounds])
  }

  @Test func whoWaitsForNothing_isBackInTime() {
    let monitor = Monitor(0)
    let start = Instant.now
    for wait in [Duration.milliseconds(20), .zero, .seconds(-1), .nanoseconds(1)] {
      let result = monitor.withLock(until: .now + wait, when: { $0 > 0 }) { $0 }
      #expect(result == nil)
    }
    #expect(Instant.now - start >= .milliseconds(20))
  }

  @Test func whoWaits_isWokenBeforeTheTime() {
    let monitor = Monitor(false)
    let waiting = WorkerThread {
      let isOver = monitor.withLock(until: Instant(nanoseconds: .max), when: { $0 }) { _ in true }
      #expect(isOver == true)
    }
    WorkerThread.sleep(.milliseconds(5))
    // A notification without a change leaves the thread waiting.
    monitor.notify()
    monitor.withLock { $0 = true }
    monitor.notify()
    waiting.join()
  }
}
