import EventStore
import Tideline

/// What the log has of a stream when reading begins.
struct StreamStart {
  /// The stream's cursor.
  var cursor: String?
  /// The place of a first listing that was interrupted, such as by a suspension.
  var bookmark: String?
  /// The listing that goes on at that place.
  var listing: Listing?
  /// Whether a listing is the first: nothing that the server has reported is here.
  var isFirst = false
}

extension StoreSnapshot {
  /// Returns what is here of a stream.
  ///
  /// - Complexity: O(1), or O(rows) without a cursor, unless the plan goes on by itself.
  func start(of plan: PullPlan, in account: UInt32) -> StreamStart {
    let stream = plan.stream
    var start = StreamStart(cursor: cursor(of: stream.name, in: account))
    guard start.cursor == nil, stream.manner == .changes, !plan.isPaused else { return start }
    start.bookmark = cursor(of: stream.listingName, in: account)
    if let bookmark = start.bookmark {
      start.listing = Listing(at: bookmark, in: stream.classes) { toldIDs(of: $0, in: account) }
    }
    start.isFirst =
      start.listing != nil
      || stream.classes.allSatisfy { toldIDs(of: $0, in: account, atMost: 1).isEmpty }
    return start
  }
}

extension ServerStream {
  /// The name under which the log has the place of a listing.
  var listingName: String { "listing of \(name)" }
}
