import TestSupport

extension Faults {
  /// The surroundings of a worker that meets these faults.
  var surroundings: Worker.Surroundings { .init(environment: environment) }
}
