import EventStore

/// A delegate that receives a provider's changes on the main actor, instead of through a sequence.
///
/// The end of a refresh is reported after the changes that it caused.
@MainActor
public protocol ProviderDelegate<Object>: AnyObject {
  /// The type of the objects.
  associatedtype Object: Model
  /// The list was replaced, without details of what changed; also called at the beginning.
  func provider(_ provider: Provider<Object>, dataChanged list: ObjectList<Object>)
  /// The list changed.
  func provider(_ provider: Provider<Object>, dataAltered change: ProviderChange<Object>)
  /// A refresh of an inbox that the list covers failed or was cancelled; the list is unchanged.
  ///
  /// Optional.
  func provider(_ provider: Provider<Object>, dataFetchFailed notice: InboxNotice)
  /// A refresh of an inbox that the list covers completed.
  ///
  /// Optional.
  func providerDataFetchCompleted(_ provider: Provider<Object>)
}

extension ProviderDelegate {
  /// Does nothing.
  public func provider(_ provider: Provider<Object>, dataFetchFailed notice: InboxNotice) {}
  /// Does nothing.
  public func providerDataFetchCompleted(_ provider: Provider<Object>) {}
}

extension Provider {
  /// Delivers changes to a delegate as long as both exist.
  ///
  /// Anything else that consumes the changes takes them from the delegate, which is not called
  /// again.
  @MainActor
  public func tell(_ delegate: any ProviderDelegate<Object>) {
    let reader = moments.begin()
    delegate.provider(self, dataChanged: current.list)
    let (moments, notices) = (moments, store.notices(of: account))
    task.begin {
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
