/// What a machine hands on to the next one, as when the store was suspended in between.
///
/// An app whose synchronization begins anew each time it comes to the foreground would otherwise
/// ask again at once, although its server requested a pause, and forget what a screen asked for.
package struct Handover {
  /// The time for which the server wants no request.
  var pause: Wait?
  /// The milliseconds for which the server wants no further manual refresh.
  var refreshPause: Int64?
  /// The questions about objects and lists that were not answered; the last ones are kept.
  package var questions: [Question] = []
}

extension SyncMachine {
  /// What the next machine takes over.
  package var handover: Handover {
    get {
      Handover(
        pause: session.pause, refreshPause: refresh.pauseByServer, questions: questions.unanswered)
    }
    set {
      (session.pause, refresh.pauseByServer) = (newValue.pause, newValue.refreshPause)
      newValue.questions.forEach { questions.addLater($0) }
    }
  }
}
