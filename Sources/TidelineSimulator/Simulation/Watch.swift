import Tideline

/// What somebody has noticed of a device so far.
struct Watch {
  var dice: Dice
  /// What was removed at the server: whether the device showed it when it was looked for last, and
  /// whether it has ceased to.
  var sightings: [ObjectName: Sighting] = [:]

  enum Sighting { case shown, ceased }

  init(_ dice: Dice) { self.dice = dice }
}
