import TestSupport
import Tideline

/// The ids of histories: few, so that events meet.
package enum InboxNames {
  package static let threads = ["t1", "t2", "t3"]
  static let messages = ["m1", "m2", "m3", "m4", "d1"]
  static let drafts = [local("d1"), local("d2"), "d1", "d2"]
  package static let tags = ["inbox", "work", "g1", local("e1")]
  package static let threadTags = [
    "inbox", "unread", "unseen", "starred", "work", "g1", local("e1"),
  ]
  static let contacts = ["c1", "c2"]
  static let files = [local("f1"), "f1", "f2"]
  static let rich = ["r1", "r2", "r3", "r4"]

  /// Returns an id made by the engine.
  package static func local(_ name: String) -> String {
    "local-" + String(repeating: "0", count: 32 - name.count) + name
  }

  /// Returns a class, and an id of it that a server may have given.
  static func servers(_ dice: inout SeededGenerator) -> ObjectName {
    var name = random(&dice)
    while name.id.hasPrefix("local-") { name = random(&dice) }
    return name
  }

  static func ids(_ objectClass: ObjectClass) -> [String] {
    switch objectClass {
    case .account: ["n1", "n2", ""]
    case .thread: threads
    case .message: messages
    case .draft: drafts
    case .tag: tags
    case .contact: contacts
    case .file: files
    case .rich: rich
    case .other: ["x1"]
    }
  }

  /// Returns a class, and an id of it.
  static func random(_ dice: inout SeededGenerator) -> ObjectName {
    let objectClass: ObjectClass = dice.one(of: [
      (6, .thread), (8, .message), (5, .draft), (2, .tag), (1, .contact), (2, .file), (8, .rich),
      (1, .account), (1, .other),
    ])
    return ObjectName(objectClass, dice.one(of: ids(objectClass)))
  }
}
