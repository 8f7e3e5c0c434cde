import EventStore
import Foundation
import TestSupport
import Testing
import Tideline

/// Configured values can be read back.
@Suite(.timeLimit(.minutes(5))) struct ConfigurationTests {
  @Test func configuration_isReadAsItWasSet() async throws {
    try await TestDesk.withInbox(.marketingCloud) { inbox, _ in
      var profile = try #require(try inbox.profile)
      #expect(profile.isInboxEnabled && !profile.ownsBadge && profile.privacy == .unrestricted)
      #expect(try inbox.marksReadOnOpening)
      try await inbox.configure(
        isInboxEnabled: false, marksReadOnOpening: false, ownsBadge: true)
      try await inbox.setPrivacy(.doNotTrack)
      profile = try #require(try inbox.profile)
      #expect(!profile.isInboxEnabled && profile.ownsBadge && profile.privacy == .doNotTrack)
      #expect(try !inbox.marksReadOnOpening)
      let mode = PrivacyMode.doNotTrack
      let accounts = try inbox.provider(
        Account.self, where: #Predicate { $0.privacy == mode })
      #expect(accounts.start.list.map(\.account) == [1])
    }
  }

  /// What a person chose in the settings is not undone by a launch with a new preset.
  @Test func choice_outlastsLogins_andEndsWithAnotherPolicy() async throws {
    try await TestDesk.withInbox(.marketingCloud) { inbox, _ in
      try await inbox.configure(marksReadOnOpening: false)
      try await inbox.logOut(pending: .hold)
      let next = PolicySwitches { $0.marksReadOnOpening = true }
      for policy in [.marketingCloud, next] {
        try await inbox.store.logIn("alice@example.com", policy: policy)
        #expect(try !inbox.marksReadOnOpening)
      }
      try await inbox.configure(policy: .marketingCloud)
      #expect(try inbox.marksReadOnOpening)
      try await inbox.store.logIn("alice@example.com", policy: .inbox)
      #expect(try inbox.marksReadOnOpening == PolicySwitches.inbox.marksReadOnOpening)
    }
  }

  /// Intervals are recorded in milliseconds, and unlimited ones as the longest possible.
  @Test func intervals_areKept() async throws {
    let intervals = [
      (Duration.zero, 0), (.milliseconds(1.9), 1), (.seconds(60), 60_000),
      (.seconds(Int64.max), Int64.max),
    ]
    for (interval, milliseconds) in intervals {
      #expect(interval.milliseconds == milliseconds)
      let policy = PolicySwitches { $0.tombstoneInterval = interval }
      let bytes = PayloadWriter.bytes { policy.put(1, into: &$0) }
      let known = PolicySwitches { $0.tombstoneInterval = .milliseconds(milliseconds) }
      #expect(bytes == PayloadWriter.bytes { known.put(1, into: &$0) })
    }
  }

  @Test func delegate_needNotCareForFetches() async throws {
    @MainActor final class Careless: ProviderDelegate {
      func provider(
        _ provider: Provider<MailThread>, dataChanged list: ObjectList<MailThread>
      ) {}
      func provider(
        _ provider: Provider<MailThread>, dataAltered change: ProviderChange<MailThread>
      ) {}
    }
    try await TestDesk.withInbox { inbox, _ in
      let provider = try inbox.provider(MailThread.self)
      await Careless().providerDataFetchCompleted(provider)
    }
  }

  @Test func line_isTheSubject_orElseWhatThereIs() {
    var message = RichMessage(id: "r", account: 1)
    #expect(message.line == nil && message.foldedSubject == FoldedText(""))
    message.title = "Title"
    #expect(message.line == "Title")
    message.inboxMessage = "Line"
    #expect(message.line == "Line")
    message.subject = "Subject"
    #expect(message.line == "Subject" && message.foldedSubject == FoldedText("Subject"))
  }
}
