package import LMDB

/// The named limits of a store, and the options for opening it.
public struct StoreOptions: Sendable {
  /// The options for opening the log.
  public var log = Log.Options()
  /// The initial size of the views' map, in bytes.
  public var viewsMapSize = 64 << 20
  /// Called with the progress of a rebuild of the views, on the thread that rebuilds; returning
  /// `false` abandons the rebuild.
  public var progress: @Sendable (RebuildProgress) -> Bool = { _ in true }
  /// How long to wait for another process that is building the views, or is to commit them.
  public var keeperPatience = Duration.seconds(2)
  /// When the views are committed.
  package var frame = FrameSchedule.Limits()
  /// The maximum number of a collection's rows that an event may touch and still be reported row by
  /// row.
  package var eventRowsMax = RowNotes.eventMaxDefault
  /// The number of rows per slice when an index is built while the views are in use.
  package var sliceRowsMax = Definitions.sliceRowsMaxDefault
  /// How much history the journal keeps.
  package var journal = JournalLimits()
  /// The limits of what is held in memory beyond another process's last commit.
  package var overlay = OverlayLimits()
  /// When the views' file is abandoned to a reader that pins an old state of it.
  package var hold = HoldWatch.Limits()
  /// The number of bytes of changed rows at which a rebuild commits.
  package var rebuildFrameBytesMax = 32 << 20
  /// The machine's current boot, if known.
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
