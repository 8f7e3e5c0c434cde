import Tideline
import TidelineSync

/// The operations of the server.
extension MailServer {
  /// Performs a part of a request, and returns its outcome.
  func outcome(of part: ServerRequest.Part, _ key: OperationKey) -> PartOutcome {
    let order = Order(part: part, key: key)
    do throws(ServerFailure) {
      return switch part.wanted {
      case .read, .tags: try changeState(order)
      case .deletion: try delete(order)
      case .draft(let draft, let isNew): try save(draft, isNew: isNew, order)
      case .sending(let messageID): try send(messageID, order)
      case .tag(let name, let isNew): try save(tagNamed: name, isNew: isNew, order)
      case .file(let file, _): add(file, order)
      case .opening, .receipt: throw .because(.unsupported)
      }
    } catch {
      return .failed(error)
    }
  }

  /// An operation to perform.
  struct Order {
    let part: ServerRequest.Part
    let key: OperationKey
    /// The id of the object.
    var id: String { part.id }
  }

  /// Notes that an operation was performed.
  func note(_ order: Order, on id: String? = nil) {
    deeds.append(Deed(key: order.key, part: order.part, id: id ?? order.id, at: now))
  }

  private func changeState(_ order: Order) throws(ServerFailure) -> PartOutcome {
    guard exists(order.part) else { throw .because(.notFound) }
    if case .tags(let added, let removed) = order.part.wanted {
      guard added.union(removed).allSatisfy({ tags[$0] != nil }) else {
        throw .because(.notFound)
      }
      guard !added.contains("unseen") else { throw .because(.invalid) }
    }
    note(order)
    if chores.contains(where: { $0.delays(order.part) }) || dice.happens(manners.lateShare) {
      put(off: order.part)
      return .done()
    }
    let before = fields(of: order.part.name)
    change(order.part)
    if dice.happens(manners.staleShare), let before { echo(order.part.name, before) }
    return .done(version: order.part.objectClass == .thread ? threads[order.id]?.version : nil)
  }

  private func exists(_ part: ServerRequest.Part) -> Bool {
    switch part.objectClass {
    case .thread: threads[part.id] != nil
    case .message: messages[part.id]?.isDraft == false
    default: false
    }
  }

  private func delete(_ order: Order) throws(ServerFailure) -> PartOutcome {
    guard manners.deletes || order.part.objectClass == .draft else {
      throw .because(.unsupported)
    }
    switch order.part.objectClass {
    case .draft:
      let draft = try draft(order)
      note(order)
      remove(message: draft.id)
    case .message where messages[order.id]?.isDraft == false:
      note(order)
      remove(message: order.id)
    case .thread where threads[order.id] != nil:
      note(order)
      remove(thread: order.id)
    case .contact where contacts[order.id] != nil:
      note(order)
      contacts[order.id] = nil
      log.add(.delete, ObjectName(.contact, order.id))
    case .tag:
      guard let tag = tags[order.id] else { throw .because(.notFound) }
      guard tag.isOwn else { throw .because(.invalid) }
      note(order)
      remove(tag: order.id)
    default: throw .because(.notFound)
    }
    return .done()
  }

  private func save(
    tagNamed name: String, isNew: Bool, _ order: Order
  ) throws(ServerFailure) -> PartOutcome {
    let name = name.lowercased()
    guard !name.isEmpty else { throw .because(.invalid) }
    if !isNew, tags[order.id] == nil { throw .because(.notFound) }
    guard !tags.all.contains(where: { $0.name == name && $0.id != order.id }) else {
      throw .because(.conflict)
    }
    guard isNew || tags[order.id]?.isOwn == true else { throw .because(.invalid) }
    let id = isNew ? makeTag(name) : order.id
    if !isNew { rename(tag: id, name) }
    note(order, on: id)
    return .done(newID: isNew ? id : nil)
  }

  private func add(_ file: Attachment, _ order: Order) -> PartOutcome {
    let id = newID("f")
    files[id] = ServedFile(
      id: id, name: file.filename ?? "", size: Int64(file.size ?? 0),
      contentType: file.contentType)
    log.add(.create, ObjectName(.file, id))
    note(order, on: id)
    return .done(newID: id)
  }
}

extension ServerRequest.Part {
  /// The name of the object.
  var name: ObjectName { ObjectName(objectClass, id) }
}
