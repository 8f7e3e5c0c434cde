import TestSupport

extension Faults {
  /// The surroundings of a worker that this is to happen to.
  var surroundings: Worker.Surroundings { .init(environment: environment) }
}
