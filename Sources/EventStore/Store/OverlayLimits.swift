/// The named limits beyond which a follower tries to switch to the keeper's last commit, and so to
/// drop what it holds in memory; as long as the keeper commits nothing, it holds more.
package struct OverlayLimits: Sendable {
  /// How long after the last change the follower switches to the state committed by then.
  var settling = Duration.milliseconds(250)
  /// How long the switch may be delayed while changes keep arriving.
  package var backlogged = Duration.seconds(1)
  /// The maximum number of records.
  package var recordsMax = 20_000
  /// The maximum size of the changed rows and nodes, in bytes.
  package var bytesMax = 32 << 20

  var frame: FrameSchedule.Limits {
    var frame = FrameSchedule.Limits()
    (frame.interactive, frame.backlogged) = (settling, backlogged)
    (frame.recordsMax, frame.bytesMax) = (recordsMax, bytesMax)
    return frame
  }
}
