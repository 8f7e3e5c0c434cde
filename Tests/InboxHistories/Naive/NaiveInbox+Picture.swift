import EventStore
import Foundation
import Tideline

extension NaiveInbox {
  /// Everything visible, computed from scratch.
  package var picture: InboxPicture {
    var picture = InboxPicture()
    for account in accounts.values { account.paint(&picture) }
    return picture
  }
}

extension NaiveAccount {
  fileprivate func paint(_ picture: inout InboxPicture) {
    let me = account
    picture.accounts[me.rowID] = me
    for operation in operations { picture.operations.insert(shown(operation)) }
    for object in objects.values where isVisible(object) { paint(object, &picture) }
  }

  private func paint(_ object: NaiveObject, _ picture: inout InboxPicture) {
    let row = "\(number)/\(object.id)"
    switch object.objectClass {
    case .thread: picture.threads[row] = thread(object)
    case .message: picture.messages[row] = message(object)
    case .draft: picture.drafts[row] = draft(object)
    case .tag: picture.tags[row] = tag(object)
    case .contact: picture.contacts[row] = contact(object)
    case .file: picture.files[row] = file(object)
    case .rich: picture.rich[row] = rich(object)
    case .account, .other: break
    }
  }

  private func shown(_ operation: NaiveOperation) -> InboxPicture.Operation {
    InboxPicture.Operation(
      account: number, intent: operation.intent, id: operation.item,
      objectClass: operation.objectClass, state: operation.state.rawValue,
      attempts: operation.attempts, lacksFile: operation.lacksFile,
      answer: operation.answer)
  }

  private var account: Account {
    var account = Account(id: String(number), account: number)
    account.known = known
    (account.createdAt, account.updatedAt) = (base.date(.createdAt), base.date(.updatedAt))
    account.unknownFields = base.reference(.unknown)
    (account.person, account.serverID) = (person, serverID)
    (account.emailAddress, account.name) = (base.text(.email), base.text(.name))
    (account.provider, account.status) = (base.text(.provider), base.text(.status))
    (account.scope, account.lastSync) = (base.text(.scope), base.date(.lastSync))
    (account.epoch, account.isLoggedIn) = (Int(epoch), isLoggedIn)
    (account.isInboxEnabled, account.ownsBadge) = (isInboxEnabled, ownsBadge)
    account.privacy = privacy
    return account
  }
}

extension NaiveFields {
  func date(_ field: ObjectField) -> Date? { time(field).flatMap(Date.init(kept:)) }

  func date(_ field: ObjectField, or other: Timestamp) -> Date {
    Date(timeIntervalSince1970: Double((time(field) ?? other).rawValue) / 1000)
  }

  /// Returns a reference to the content of a field, wherever that is.
  func reference(_ field: ObjectField) -> TextReference? {
    content(field).map { TextReference(record: 0, field: 0, content: $0.payloadBytes) }
  }
}
