/// What happens at servers that nobody of the simulation has asked them for: mail comes, other
/// devices are used, messages are published.
package struct World {
  /// Something that happened.
  package struct Happening: Hashable, Sendable {
    /// What happened, for people.
    package let line: String
    /// The id of the rich message that devices are sent a push of.
    package var alert: String?
  }

  private let mail: MailServer?
  private let rich: RichServer?
  private let isLifelike: Bool

  /// What happens at these servers.
  ///
  /// - Parameter isLifelike: Whether what comes reads as if people had written it.
  package init(mail: MailServer? = nil, rich: RichServer? = nil, isLifelike: Bool = false) {
    self.mail = mail
    self.rich = rich
    self.isLifelike = isLifelike
  }

  /// Has something happen, and says what; nothing where nothing can.
  package func step(using dice: inout Dice) -> Happening? {
    let servers = [mail.map { _ in true }, rich.map { _ in false }].compactMap(\.self)
    switch dice.pick(servers) {
    case true?: return mail?.happen(using: &dice, isLifelike).map { Happening(line: $0) }
    case false?: return rich?.happen(using: &dice, isLifelike)
    case nil: return nil
    }
  }
}
