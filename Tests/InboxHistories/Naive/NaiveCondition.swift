import EventStore
import Foundation
import Tideline

/// A few conditions of intents, as predicates and as their encoded bytes.
enum NaiveCondition {
  static let ofThreads: [Predicate<MailThread>] = [
    #Predicate { $0.subject == "A" }, #Predicate { !$0.isStarred || $0.messageIDs.contains("m1") },
  ]
  static let ofMessages: [Predicate<Message>] = [
    #Predicate { $0.isStarred }, #Predicate { $0.threadID == "t1" && $0.subject != nil },
  ]
  static let ofRich: [Predicate<RichMessage>] = [
    #Predicate { $0.isOpened || $0.title == nil }, #Predicate { $0.messageType != 7 },
  ]

  /// Returns the encoded conditions on objects of a class.
  static func bytes(_ objectClass: ObjectClass) -> [[UInt8]] {
    switch objectClass {
    case .thread: ofThreads.map(bytes)
    case .message: ofMessages.map(bytes)
    case .rich: ofRich.map(bytes)
    default: []
    }
  }

  static func bytes<Object: Model>(_ predicate: Predicate<Object>) -> [UInt8] {
    guard let plan = try? QueryPlan(where: predicate) else { return [] }
    return NormalCondition(plan.condition).bytes
  }
}

extension NaiveAccount {
  /// Returns whether an object meets an encoded condition (29).
  func meets(_ bytes: [UInt8], _ object: NaiveObject) -> Bool {
    switch object.objectClass {
    case .thread: Self.meets(bytes, thread(object), NaiveCondition.ofThreads)
    case .message: Self.meets(bytes, message(object), NaiveCondition.ofMessages)
    case .rich: Self.meets(bytes, rich(object), NaiveCondition.ofRich)
    default: false
    }
  }

  private static func meets<Object: Model>(
    _ bytes: [UInt8], _ object: Object, _ predicates: [Predicate<Object>]
  ) -> Bool {
    let predicate = predicates.first { NaiveCondition.bytes($0) == bytes }
    return (try? predicate?.evaluate(object)) ?? false
  }
}
