/// Events at servers that nobody in the simulation caused: arriving mail, use of other devices,
/// published messages.
package struct World {
  /// An event that happened.
  package struct Happening: Hashable, Sendable {
    /// The event, for people.
    package let line: String
    /// The id of the rich message for which devices receive a push.
    package var alert: String?
  }

  private let mail: MailServer?
  private let rich: RichServer?
  private let isLifelike: Bool

  /// Creates the events of these servers.
  ///
  /// - Parameter isLifelike: Whether messages read as if people had written them.
  package init(mail: MailServer? = nil, rich: RichServer? = nil, isLifelike: Bool = false) {
    self.mail = mail
    self.rich = rich
    self.isLifelike = isLifelike
  }

  /// Makes an event happen, and returns it; `nil` if none is possible.
  package func step(using dice: inout Dice) -> Happening? {
    let servers = [mail.map { _ in true }, rich.map { _ in false }].compactMap(\.self)
    switch dice.pick(servers) {
    case true?: return mail?.happen(using: &dice, isLifelike).map { Happening(line: $0) }
    case false?: return rich?.happen(using: &dice, isLifelike)
    case nil: return nil
    }
  }
}
