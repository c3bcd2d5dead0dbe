/// Where acknowledged deletes fell, seen from the requests of the same objects.
struct DeleteTimes {
  /// Over before the request began.
  private(set) var before = 0
  /// At some moment between the request's beginning and the response's end.
  private(set) var during = 0
  /// Begun after the response's end.
  private(set) var after = 0

  init(_ history: History) {
    let requests = history.steps(of: .request) { $0.type == .invoke }
    let responses = history.steps(of: .response) { $0.type == .invoke }.mapValues { StepIndex($0, of: history) }
    let deletes = history.steps(of: .delete) { $0.type == .ok }.mapValues { StepIndex($0, of: history) }
    for (entity, steps) in requests {
      for step in steps {
        let request = history.operations[step]
        for delete in deletes[entity]?.steps(overlapping: request.keys) ?? [] {
          let keys = history.operations[delete].keys.clamped(to: request.keys)
          // The response of a request is the first of its keys that began after it.
          let response = (responses[entity]?.steps(overlapping: keys) ?? []).filter { $0 > step }.min()
          if history.operations[delete].time < request.time {
            before += 1
          } else if let response, history.start(of: delete) > history.end(of: response) {
            after += 1
          } else {
            during += 1
          }
        }
      }
    }
  }
}
