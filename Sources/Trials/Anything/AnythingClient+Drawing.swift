extension AnythingClient {
  /// Draws the next step from the current objects.
  func nextStep() -> AnythingStep {
    let actor: AnythingStep.Actor = edits.draw(10) < 7 ? .own : .child
    func some(_ graph: ObjectGraph, _ count: Int) -> [Edit] {
      var after = graph
      var drawn: [Edit] = []
      for _ in 0..<count {
        for edit in edits.next(in: after) where after.apply(edit) { drawn.append(edit) }
      }
      return drawn
    }
    func name(_ graph: ObjectGraph, of entity: String? = nil) -> Int {
      edits.pick(entity.map(graph.names) ?? graph.nodes.keys.sorted()) ?? 0
    }
    switch edits.draw(120) {
    case 0..<12: return .write(some(file, 1 + edits.draw(4)))
    case 12..<16: return .batch(edits.batch(in: file))
    case 16..<42: return .edit(actor, some(participant(actor).view, 1 + edits.draw(3)))
    case 42..<53: return .save(actor)
    case 53..<56: return .rollBack(actor)
    case 56..<58: return .reset(actor)
    case 58..<62: return .refresh(actor, name(participant(actor).view), merging: edits.draw(2) == 0)
    case 62..<70: return .hear(actor, edits.pick(AnythingStep.Way.allCases) ?? .refresh)
    case 70..<79: return .look(actor, edits.pick(AnythingStep.Look.allCases) ?? .everything)
    case 79..<84: return .ask(actor, edits.random.next())
    case 84: return .deny(actor, name(participant(actor).view))
    case 85..<88: return .undo(some(own.view, 1 + edits.draw(3)), keeps: edits.draw(2) == 0)
    case 88: return .undoSaved(some(own.view, 1 + edits.draw(3)))
    case 89..<91: return .identify(actor, name(participant(actor).view))
    case 91..<93:
      let drawn = name(participant(actor).view)
      guard let node = participant(actor).view.nodes[drawn],
        let attribute = edits.pick(model.entity(node.entity).attributes)
      else { return .look(actor, .one) }
      return .breakRule(actor, drawn, attribute)
    case 93..<96: return .code(name(own.view, of: "Author"), edits.draw(4) + 1)
    case 96: return .exchange(name(own.view, of: "Author"), name(own.view, of: "Author"))
    case 97: return dangling(actor) ?? .look(actor, .one)
    case 98..<111: return .share(edits.random.next())
    case 111..<114: return .renewState(merging: edits.draw(2) == 0)
    default: return .release(actor, edits.random.next())
    }
  }

  /// Two objects, of which one can lead to the other; nil where no relationship is drawn that can.
  private func dangling(_ actor: AnythingStep.Actor) -> AnythingStep? {
    let view = participant(actor).view
    guard let name = edits.pick(view.nodes.keys.sorted()), let node = view.nodes[name] else { return nil }
    let candidates = model.entity(node.entity).relationships.filter { !model.relationship($0).isToMany }
    guard let relationship = edits.pick(candidates),
      let target = edits.pick(view.names(of: model.relationship(relationship).destination))
    else { return nil }
    return .dangle(actor, name, relationship, target)
  }
}
