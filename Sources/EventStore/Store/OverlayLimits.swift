/// The named limits of what a follower holds in memory beyond what the keeper has committed.
package struct OverlayLimits: Sendable {
  /// How long after the last change the follower goes over to what is committed then.
  var settling = Duration.milliseconds(250)
  /// How long it may take where more and more arrives.
  package var backlogged = Duration.seconds(1)
  /// The records.
  package var recordsMax = 20_000
  /// The bytes of changed rows and nodes.
  package var bytesMax = 32 << 20

  var frame: FrameSchedule.Limits {
    var frame = FrameSchedule.Limits()
    (frame.interactive, frame.backlogged) = (settling, backlogged)
    (frame.recordsMax, frame.bytesMax) = (recordsMax, bytesMax)
    return frame
  }
}
