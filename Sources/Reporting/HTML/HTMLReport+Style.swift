extension HTMLReport {
  /// How the page looks, on wide and narrow screens, in light and dark.
  static let style = """
    :root { color-scheme: light dark; --ink: #222; --faint: #666; --paper: #fff; --rule: #ddd; --shade: #f5f5f5;
      --good: #00684d; --bad: #b34400; --caution: #7a5900; }
    @media (prefers-color-scheme: dark) {
      :root { --ink: #e6e6e6; --faint: #a3a3a3; --paper: #161616; --rule: #3a3a3a; --shade: #222;
        --good: #4cc9a3; --bad: #ff9a5c; --caution: #f0c14b; }
      /* Light turns to dark and colours keep their hue. */
      figure .wide { --rule: #ddd; filter: invert(.92) hue-rotate(180deg); }
    }
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--paper); color: var(--ink); line-height: 1.5;
      font-family: system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
    main { max-width: 76rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
    h1 { font-size: 1.6rem; margin: 0; overflow-wrap: anywhere; }
    h2 { font-size: 1.3rem; margin: 3rem 0 .8rem; padding-top: .8rem; border-top: 1px solid var(--rule); }
    h3 { font-size: 1rem; margin: 0; display: flex; gap: .6rem; align-items: center; flex-wrap: wrap; }
    .eyebrow, .note, figcaption { color: var(--faint); font-size: .9rem; margin: 0; }
    .badges { display: flex; flex-wrap: wrap; gap: .5rem; margin: .7rem 0; }
    .badge { border: 1px solid currentColor; border-radius: 1rem; padding: 0 .7rem; font-size: .85rem; font-weight: 600; }
    .good { color: var(--good); } .bad { color: var(--bad); } .caution { color: var(--caution); }
    .conclusion + h3 { margin-top: 1.2rem; }
    .facts { display: grid; grid-template-columns: minmax(8rem, max-content) 1fr; gap: .15rem 1rem; margin: 0;
      font-size: .9rem; }
    .facts dt { color: var(--faint); overflow-wrap: anywhere; } .facts dd { margin: 0; overflow-wrap: anywhere; }
    nav { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; margin-top: 1.2rem; }
    a { color: inherit; }
    .wide { overflow-x: auto; }
    table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; min-width: 100%; }
    th, td { padding: .3rem .55rem; border-bottom: 1px solid var(--rule); white-space: nowrap; text-align: right; }
    thead th { color: var(--faint); font-weight: 500; }
    thead button { font: inherit; color: inherit; background: none; border: 0; padding: 0; cursor: pointer; }
    thead [title] button { text-decoration: underline dotted; text-underline-offset: .2em; }
    [aria-sort=ascending] button::after { content: " ▲"; } [aria-sort=descending] button::after { content: " ▼"; }
    th:first-child, td.name, td.verdict, thead th:nth-child(2) { text-align: left; }
    tbody th { font-weight: 600; position: sticky; left: 0; background: var(--paper); }
    .verdict { font-weight: 600; }
    figure { margin: 2rem 0; }
    figure .wide { background: #fff; border: 1px solid var(--rule); border-radius: .4rem; padding: .5rem;
      max-width: 58rem; }
    figure svg { display: block; width: 100%; min-width: 36rem; height: auto; }
    figcaption { margin-top: .4rem; }
    @media (max-width: 40rem) {
      main { padding: 1rem .7rem 3rem; } .facts { grid-template-columns: 1fr; } .facts dd { margin-bottom: .4rem; }
      th, td { padding: .3rem .4rem; } tbody th { white-space: normal; min-width: 7rem; }
    }
    details { margin: 1rem 0; } summary { cursor: pointer; padding: .3rem 0; }
    .violation { border-left: 3px solid currentColor; padding: .2rem 0 .2rem 1rem; margin: 1.2rem 0; }
    .violation > * { color: var(--ink); } .violation .note, .violation dt { color: var(--faint); }
    .violation .badge.bad { color: var(--bad); } .violation .badge.caution { color: var(--caution); }
    .violation p { margin: .3rem 0; }
    pre { background: var(--shade); padding: .7rem; border-radius: .3rem; margin: .3rem 0; white-space: pre-wrap;
      overflow-wrap: anywhere; font-size: .85rem; user-select: all; }
    """ + "\n" + timelineStyle

  /// How timelines look: light fills with a strong left edge, so that a span of two pixels has its colour too.
  private static let timelineStyle = """
    :root { --save: #2468b0; --merge: #00794f; --read: #77808a; --stall: #a86400; --fill: 18%; }
    @media (prefers-color-scheme: dark) {
      :root { --save: #6fb0f5; --merge: #4cc9a3; --read: #98a1ab; --stall: #f0c14b; --fill: 30%; }
    }
    .controls, .buttons, .key { display: flex; flex-wrap: wrap; gap: .4rem .5rem; align-items: center; }
    .controls { margin: .5rem 0; gap: .5rem 1.5rem; } .buttons[hidden] { display: none; }
    .controls button { font: inherit; font-size: .85rem; padding: .2rem .7rem; color: var(--ink); cursor: pointer;
      background: var(--shade); border: 1px solid var(--rule); border-radius: .3rem; }
    .lanes { overflow: auto; max-height: 32rem; border: 1px solid var(--rule); border-radius: .4rem; cursor: grab;
      user-select: none; } .lanes:active { cursor: grabbing; }
    .canvas { position: relative; overflow: clip; padding-bottom: .3rem; }
    .axis { position: sticky; top: 0; z-index: 2; height: 1.3rem; overflow: clip; background: var(--shade);
      border-bottom: 1px solid var(--rule); }
    .axis span { position: absolute; border-left: 1px solid var(--faint); padding-left: .25rem; font-size: .75rem;
      color: var(--faint); white-space: nowrap; }
    .lane b { position: sticky; left: .4rem; font-size: .75rem; font-weight: 600; color: var(--faint); }
    .lane div { position: relative; height: 1.7rem; border-bottom: 1px solid var(--rule); }
    .bar { --colour: var(--read); font-style: normal; font-size: .72rem; line-height: .85rem; white-space: nowrap;
      overflow: hidden; border-left: 2px solid var(--colour); color: var(--ink);
      background: color-mix(in srgb, var(--colour) var(--fill), var(--paper)); }
    .lane .bar { position: absolute; top: .05rem; bottom: .05rem; min-width: 2px; text-indent: .2rem; }
    .key .bar { padding: 0 .4rem; } .lane .inside { top: .85rem; line-height: .75rem; font-size: .6rem; }
    .bar.save { --colour: var(--save); } .bar.merge { --colour: var(--merge); } .bar.stall { --colour: var(--stall); }
    .bar.refused { --colour: var(--caution); outline: 1px dashed var(--colour); outline-offset: -1px; }
    .bar.open { --colour: var(--bad); outline: 1px dashed var(--colour); outline-offset: -1px; }
    .bar.mark { --colour: var(--bad); }
    .lane .mark { z-index: 1; width: .8rem; margin-left: -.4rem; background: var(--bad); border: 0; top: .35rem;
      bottom: .35rem; clip-path: polygon(50% 0, 100% 50%, 50% 100%, 0 50%); }
    .line { position: absolute; top: 0; bottom: 0; border-left: 1px solid var(--bad); opacity: .6; }
    """
}
