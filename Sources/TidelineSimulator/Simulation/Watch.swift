import Tideline

/// The observations of a device so far.
struct Watch {
  var dice: Dice
  /// The objects removed at the server: whether the device showed them when last checked, or has
  /// ceased to.
  var sightings: [ObjectName: Sighting] = [:]

  enum Sighting { case shown, ceased }

  init(_ dice: Dice) { self.dice = dice }
}
