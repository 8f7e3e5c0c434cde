package import LMDB

/// The named limits of a store, and how it is opened.
public struct StoreOptions: Sendable {
  /// How the log is opened.
  public var log = Log.Options()
  /// The size of the views' map at first, in bytes.
  public var viewsMapSize = 64 << 20
  /// Is told how far making the views anew has come, on the thread that does it; whatever it
  /// returns `false` for is given up.
  public var progress: @Sendable (RebuildProgress) -> Bool = { _ in true }
  /// How long opening waits for another process that is making the views.
  public var keeperPatience = Duration.seconds(2)
  /// When the views are committed.
  package var frame = FrameSchedule.Limits()
  /// How many rows of a collection an event may touch, and it is told row by row.
  package var eventRowsMax = RowNotes.eventMaxDefault
  /// How many rows are looked through at a time for an index that is built while the views are
  /// used.
  package var sliceRowsMax = Definitions.sliceRowsMaxDefault
  /// How much of the past the journal keeps.
  package var journal = JournalLimits()
  /// What is held in memory beyond what another process has committed.
  package var overlay = OverlayLimits()
  /// When the views' file is left to a reader that holds on to it.
  package var hold = HoldWatch.Limits()
  /// The bytes of changed rows at which a rebuild commits them.
  package var rebuildFrameBytesMax = 32 << 20
  /// The machine's run, as far as it is known.
  package var boot: @Sendable () -> Boot? = { Boot.current }

  /// The default limits.
  public init() {}

  var environment: Environment.Options {
    var environment = Generation.options
    environment.mapSize = viewsMapSize
    environment.tablesMax = 300
    return environment
  }
}
