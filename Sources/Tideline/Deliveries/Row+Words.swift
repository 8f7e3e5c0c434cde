package import EventStore

extension Row {
  /// Describes the value of a field in words if it is a code or packed; returns `nil` if the row
  /// has no value, or its text is readable already.
  ///
  /// - Complexity: O(bytes of the value)
  package func words(of field: FieldDeclaration, in collection: RowCollection) -> String? {
    if field == InboxFields.hiding.declaration {
      return self[InboxFields.hiding]?.reasons.joined(separator: "; ")
    }
    switch collection {
    case Operations.collection: return operationWords(of: field)
    case Messages.collection: return messageWords(of: field)
    case Threads.collection where field == Threads.participants.declaration:
      return people(Threads.participants)
    default: return nil
    }
  }

  private func operationWords(of field: FieldDeclaration) -> String? {
    switch field {
    case Operations.action.declaration: self[Operations.action].map { "\($0)" }
    case Operations.objectClass.declaration: self[Operations.objectClass].map { "\($0)" }
    case Operations.state.declaration: self[Operations.state].map { "\($0)" }
    case Operations.deferral.declaration: self[Operations.deferral].map { "\($0)" }
    case Operations.rejection.declaration: self[Operations.rejection].map { "\($0)" }
    default: nil
    }
  }

  private func messageWords(of field: FieldDeclaration) -> String? {
    switch field {
    case Messages.kind.declaration: return self[Messages.kind].map { "\($0)" }
    case Messages.state.declaration: return self[Messages.state].map { "\($0)" }
    default:
      let people = [Messages.from, Messages.to, Messages.cc, Messages.bcc, Messages.replyTo]
      return people.first { $0.declaration == field }.flatMap(self.people)
    }
  }

  /// Returns people's names and addresses, which are stored in one text.
  private func people(_ field: Field<String>) -> String? {
    self[field].flatMap([Participant].init(kept:)).map { people in
      people.map { person in person.name.map { "\($0) <\(person.email)>" } ?? person.email }
        .joined(separator: ", ")
    }
  }
}
