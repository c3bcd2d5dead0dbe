extension HTMLReport {
  /// The meanings of the columns of the page's tables, by their titles.
  static let meanings: KeyValuePairs<String, String> = [
    "verdict":
      "held: checked, and there was something to check; violated; not exercised: the check never had anything to check; "
      + "unknown: the check could not be made",
    "until durable": "from the first operation until every row was committed to the file; median",
    "until visible": "until main had also drained every merge or push; median",
    "× floor": "until durable ÷ the same rows written by a C program beside each repetition; median",
    "main thread": "what the main thread did outside its run loop's wait, working or blocked; median",
    "push": "of that: taking over a child's save",
    "save": "of that: saving",
    "merge": "of that: merging other contexts' saves",
    "fetch": "of that: serving children's fetches and faults",
    "worst stall":
      "how late main was for the latest tick of a 60 Hz heartbeat, of all cells; with its waits for a processor",
    "objects/s": "acknowledged objects until main showed them, per second; median",
    "cells": "repetitions",
    "count": "operations that ended, of all cells",
    "failed": "of these: those that threw an error",
    "median": "the latency that half of the operations do not exceed; median of the cells",
    "90 %": "the same of 90 %; it needs 100 operations in a cell",
    "99 %": "the same of 99 %; it needs 1,000 operations in a cell",
    "99.9 %": "the same of 99.9 %; it needs 10,000 operations in a cell",
    "longest": "the longest of all cells",
    "baseline": "median of the run that this one is compared with",
    "candidate": "median of this run",
    "ratio (95 % interval)": "candidate ÷ baseline; where the interval excludes 1, a difference was measured",
  ]

  /// A title of a column: its meaning shows where the pointer rests, and a click sorts by it.
  static func heading(_ title: String) -> HTML {
    let content = [HTML.element("button", ["type": "button"], title)]
    guard let meaning = meanings.first(where: { $0.key == title })?.value else {
      return .element("th", ["scope": "col"], content)
    }
    return .element("th", ["scope": "col", "title": meaning], content)
  }

  /// The meanings of these columns, folded away, for readers without a pointer.
  static func legend(_ titles: [String]) -> HTML {
    let items = meanings.filter { titles.contains($0.key) }.flatMap { title, meaning in
      [HTML.element("dt", title), HTML.element("dd", meaning)]
    }
    return .element(
      "details", [.element("summary", "What the columns mean"), .element("dl", ["class": "facts"], items)])
  }

  /// Sorts a table by the column of the clicked title: numbers by their `data-value`, and cells without one last.
  static let sortingScript = """
    document.addEventListener("click", event => {
      const button = event.target.closest("thead button");
      if (!button) return;
      const head = button.parentElement, table = head.closest("table"), body = table.tBodies[0];
      const index = [...head.parentElement.children].indexOf(head);
      const isDown = head.getAttribute("aria-sort") === "ascending";
      for (const other of head.parentElement.children) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
      const key = row => {
        const cell = row.cells[index], value = cell.dataset.value;
        return value === undefined ? cell.textContent : value === "" ? null : Number(value);
      };
      const order = (a, b) => a === null || b === null ? (a === null) - (b === null)
        : (isDown ? -1 : 1) * (typeof a === "number" ? a - b : a.localeCompare(b));
      body.append(...[...body.rows].sort((a, b) => order(key(a), key(b))));
    });
    """
}
