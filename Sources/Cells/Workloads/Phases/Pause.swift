import Scheduling

/// Lets a thread wait for a while.
enum Pause {
  static func wait(seconds: Double) {
    precondition(seconds >= 0, "a pause ends after its begin")
    let gate = Latch(label: "a pause")
    _ = gate.wait(atMost: seconds)
    gate.open()
  }
}
