import EventStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Timestamp {
  /// The current time, by the system's clock.
  static var now: Timestamp {
    Timestamp(rawValue: Int64(Date().timeIntervalSince1970 * 1000))
  }
}
