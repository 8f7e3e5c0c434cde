import EventStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Timestamp {
  /// This moment, by the system's clock.
  static var now: Timestamp {
    Timestamp(rawValue: Int64(Date().timeIntervalSince1970 * 1000))
  }
}
