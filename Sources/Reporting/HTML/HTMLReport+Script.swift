extension HTMLReport {
  /// The scripts of the page: sorting tables, and moving in timelines.
  static let script = sortingScript + "\n" + timelineScript

  /// SHA-256 of ``script`` in base 64: the only script that a browser runs on the page.
  static let scriptHash = "D19PiRULTRcMkaQqoUXrBL5Aaz+Zf2SUqEiKbRdL5LY="

  /// Zooms a timeline by making it wider within its scrolling box, and labels the visible time.
  ///
  /// A browser draws nothing wider than some ten million pixels.
  private static let timelineScript = """
    const axis = box => {
      const canvas = box.firstElementChild, wide = canvas.offsetWidth;
      if (!wide) return;
      const begin = Number(canvas.dataset.begin), length = Number(canvas.dataset.length), perPixel = length / wide;
      const power = 10 ** Math.floor(Math.log10(perPixel * 96));
      const step = Math.max(1, power * [1, 2, 5, 10].find(factor => factor * power >= perPixel * 96));
      const digits = Math.max(0, Math.ceil(6 - Math.log10(step) - 1e-9));
      const first = Math.ceil((begin + box.scrollLeft * perPixel) / step);
      const last = Math.floor((begin + (box.scrollLeft + box.clientWidth) * perPixel) / step);
      const labels = [];
      for (let number = first; last >= number; number += 1) {
        const label = document.createElement("span");
        label.textContent = (number * step / 1e6).toFixed(digits) + " ms";
        label.style.left = (number * step - begin) / length * 100 + "%";
        labels.push(label);
      }
      canvas.firstElementChild.replaceChildren(...labels);
    };
    const zoom = (box, factor, at = box.clientWidth / 2) => {
      const canvas = box.firstElementChild, place = (box.scrollLeft + at) / canvas.offsetWidth;
      const old = Number(canvas.dataset.zoom) || 1;
      const level = Math.min(8e6 / box.clientWidth, Math.max(1, old * factor));
      canvas.dataset.zoom = level;
      canvas.style.width = level * 100 + "%";
      box.scrollLeft = place * canvas.offsetWidth - at;
      axis(box);
    };
    const show = (box, bar) => { box.parentElement.querySelector(".detail").textContent = bar.title; };
    const moves = {
      in: box => zoom(box, 2),
      out: box => zoom(box, 0.5),
      all: box => zoom(box, 0),
      next: box => {
        const marks = [...box.querySelectorAll(".mark")], canvas = box.firstElementChild;
        if (!marks.length) return;
        const number = canvas.dataset.mark === undefined ? 0 : (Number(canvas.dataset.mark) + 1) % marks.length;
        canvas.dataset.mark = number;
        if (!(Number(canvas.dataset.zoom) > 1)) zoom(box, 16);
        marks[number].scrollIntoView({ block: "nearest", inline: "center" });
        show(box, marks[number]);
      },
    };
    const keys = { "+": "in", "=": "in", "-": "out", "0": "all", "n": "next" };
    for (const timeline of document.querySelectorAll(".timeline")) {
      const box = timeline.querySelector(".lanes");
      timeline.querySelector(".buttons").hidden = false;
      timeline.addEventListener("toggle", () => axis(box));
      timeline.addEventListener("click", event => {
        const move = event.target.closest("[data-move]"), bar = event.target.closest(".lanes .bar");
        if (move) moves[move.dataset.move](box);
        if (bar) show(box, bar);
      });
      box.addEventListener("keydown", event => {
        if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
        event.preventDefault();
        moves[keys[event.key]](box);
      });
      box.addEventListener("wheel", event => {
        if (!event.deltaY || event.shiftKey || !(event.ctrlKey || document.activeElement === box)) return;
        event.preventDefault();
        zoom(box, 0 > event.deltaY ? 1.25 : 0.8, event.clientX - box.getBoundingClientRect().left);
      }, { passive: false });
      box.addEventListener("pointermove", event => {
        if (event.pointerType !== "mouse" || event.buttons !== 1) return;
        box.scrollLeft -= event.movementX;
        box.scrollTop -= event.movementY;
      });
      box.addEventListener("scroll", () => axis(box), { passive: true });
      addEventListener("resize", () => axis(box));
      axis(box);
    }
    """
}
