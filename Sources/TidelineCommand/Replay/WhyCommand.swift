import EventStore
import TidelineReplay

/// `tideline why`: explains why an object is or is not in a list.
struct WhyCommand: ReplayCommand {
  static let usage = Usage(
    name: "why", folders: ["FOLDER", "OBJECT", "LIST"], flags: ["--json"],
    texts: ["--at": "PLACE"])
  static let help = """
    Shows why an OBJECT in FOLDER, such as threads/1/t1, or just its id if only one object has it,
    is or is not in a LIST, such as 'unread inbox:1': what the list requires and what the object
    has, what orders it, what hides it, which operations are open on it and what would end them,
    what remains of it if it was deleted, and which records about it were refused.

      --at PLACE  as of a place (default: the end)
      --json      print a JSON object

    Example:
      tideline why inbox threads/1/t1 'unread inbox:1'
    """

  let folder: String
  private let object: String
  private let list: String
  private let place: String
  private let isJSON: Bool

  init(_ arguments: Arguments) {
    folder = arguments.folders[0]
    (object, list) = arguments.isForHelp ? ("", "") : (arguments.folders[1], arguments.folders[2])
    (place, isJSON) = (arguments.text("--at") ?? "end", arguments.has("--json"))
  }

  func run(in past: Past) throws -> ExitStatus {
    let inboxes = try past.inboxes(at: place)
    let word = try past.object(object, in: inboxes)
    let list = try past.asking { try inboxes.list(self.list) }
    let view = inboxes.replay.viewDefinitions.first { $0.name == list.view }
    guard view?.collection == word.collection else {
      throw Mistake(
        "tideline why: \(list) holds \(view?.collection.name ?? "others"), not "
          + "\(word.collection.name). Name a list of these.")
    }
    let why = try inboxes.why(word.id, word.objectClass, in: list, of: word.account)
    try Output.show([why.description], json: why.json, isJSON: isJSON)
    return .done
  }
}

extension Why {
  /// The answer as a JSON object.
  fileprivate var json: String {
    JSONWriter.object { json in
      json.member("id", id)
      json.member("list", list.list.description)
      json.member("isListed", isListed)
      json.member("verdict", verdict)
      json.member("count", list.count)
      json.member("rank", list.rank?.description)
      json.member("condition") { $0.trace(list.condition) }
      json.member("hiding", hiding)
      json.member("overlay", overlay) { json, field in
        json.object { json in
          json.member("field", field.field)
          json.member("base", field.base)
          json.member("visible", field.visible)
        }
      }
      json.member("operations", operations) { json, operation in
        json.object { json in
          json.member("intent", operation.intent?.number.description)
          json.member("action", operation.action)
          json.member("state", operation.state)
          json.member("ends", operation.ends)
        }
      }
      json.member("deletedBy", tombstone?.deletion?.number.description)
      json.member("silentRecord", silentRecord?.number.description)
      json.member("silentReason", silentRecord?.reason)
      json.member("refusals", refusals) { json, event in
        json.object { json in
          json.member("record", event.number.rawValue)
          json.member("reason", event.reason)
        }
      }
    }
  }
}

extension JSONWriter {
  fileprivate mutating func trace(_ trace: ConditionTrace) {
    object { json in
      json.member("text", trace.text)
      json.member("isMet", trace.isMet)
      if let value = trace.value { json.member("value", value) }
      if !trace.parts.isEmpty { json.member("parts", trace.parts) { $0.trace($1) } }
    }
  }
}
