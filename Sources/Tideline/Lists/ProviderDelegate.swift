import EventStore

/// Who is told on the main actor what happens to a provider's list, instead of by a sequence.
///
/// That a fetch ended is told behind the changes that it led to.
@MainActor
public protocol ProviderDelegate<Object>: AnyObject {
  /// What the provider provides.
  associatedtype Object: Model
  /// The list is another, and it can't be told what happened to it; also at the beginning.
  func provider(_ provider: Provider<Object>, dataChanged list: ObjectList<Object>)
  /// This happened to the list.
  func provider(_ provider: Provider<Object>, dataAltered change: ProviderChange<Object>)
  /// A refresh of an inbox whose list it is failed, or was given up; the list is as it was.
  ///
  /// Need not be there.
  func provider(_ provider: Provider<Object>, dataFetchFailed notice: InboxNotice)
  /// A refresh of an inbox whose list it is was completed.
  ///
  /// Need not be there.
  func providerDataFetchCompleted(_ provider: Provider<Object>)
}

extension ProviderDelegate {
  /// Does nothing.
  public func provider(_ provider: Provider<Object>, dataFetchFailed notice: InboxNotice) {}
  /// Does nothing.
  public func providerDataFetchCompleted(_ provider: Provider<Object>) {}
}

extension Provider {
  /// Tells a delegate of what happens, for as long as both are there; nobody else may take the
  /// changes then, as the delegate is told no more from there on.
  @MainActor
  public func tell(_ delegate: any ProviderDelegate<Object>) {
    let reader = moments.begin()
    delegate.provider(self, dataChanged: current.list)
    let (moments, notices) = (moments, store.notices(of: account))
    errand.begin {
      for await notice in notices where notice.endsRefresh {
        moments.put(ProviderMoment(notices: [notice]))
      }
    }
    Task { @MainActor [weak self, weak delegate] in
      while let moment = await moments.take(by: reader) {
        guard let self, let delegate else { return }
        deliver(moment, to: delegate)
      }
    }
  }

  @MainActor
  private func deliver(_ moment: ProviderMoment, to delegate: any ProviderDelegate<Object>) {
    if let change = moment.change.map(ProviderChange<Object>.init) {
      if change.set.isReset {
        delegate.provider(self, dataChanged: change.list)
      } else {
        delegate.provider(self, dataAltered: change)
      }
    }
    for notice in moment.notices {
      if notice == .refreshCompleted {
        delegate.providerDataFetchCompleted(self)
      } else {
        delegate.provider(self, dataFetchFailed: notice)
      }
    }
  }
}

extension InboxNotice {
  fileprivate var endsRefresh: Bool {
    switch self {
    case .refreshCompleted, .refreshFailed, .refreshCancelled: true
    default: false
    }
  }
}
