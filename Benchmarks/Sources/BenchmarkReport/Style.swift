/// How the page looks. Nothing is loaded: fonts are those that the system has.
enum Style {
  static let page = """
    \(Ink.styleSheet)
    \(SVG.styleSheet)
    :root { --page: #f4f5f7; --card: #ffffff; --line: #e0e3e8; --link: #1d5fc4; --shade: #f7f8fa; }
    @media (prefers-color-scheme: dark) {
      :root { --page: #0f1115; --card: #171a1f; --line: #2b3038; --link: #7fb2ff; --shade: #1d2127; }
    }
    * { box-sizing: border-box; }
    html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-behavior: smooth; }
    @media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
    body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, -apple-system,
      "Segoe UI", "Noto Sans", "Liberation Sans", sans-serif; overflow-wrap: anywhere; }
    .sheet { max-width: 1280px; margin: 0 auto; padding: 40px 32px 64px; }
    a { color: var(--link); }
    h1 { font-size: 30px; line-height: 1.2; letter-spacing: -0.02em; margin: 0 0 6px; text-wrap: balance; }
    h2 { font-size: 22px; line-height: 1.25; letter-spacing: -0.01em; margin: 0 0 4px; }
    h3 { font-size: 16px; line-height: 1.35; margin: 0; }
    h4 { font-size: 14px; margin: 0 0 6px; color: var(--muted); font-weight: 600; }
    p { margin: 0; max-width: 72ch; }
    .quiet { color: var(--muted); font-size: 15px; }
    code, .path { font: 13px/1.5 ui-monospace, "SFMono-Regular", "Noto Sans Mono", "Liberation Mono", monospace; }
    .path { color: var(--muted); font-weight: 400; }
    .run { margin-top: 56px; padding-top: 32px; border-top: 2px solid var(--line); }
    .run > h2 { margin-bottom: 16px; }
    nav { margin: 20px 0 0; }
    nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: 6px 18px; padding: 0; margin: 0;
      font-size: 15px; }
    nav a { text-decoration: none; }
    nav a:hover { text-decoration: underline; }
    .card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 20px 24px;
      min-width: 0; }
    .tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 240px), 1fr)); gap: 16px;
      margin: 24px 0 16px; }
    .tile { margin: 0; }
    .tile dt { color: var(--muted); font-size: 14px; }
    .tile dd { margin: 0; }
    .tile .figure { font-size: 32px; line-height: 1.25; font-weight: 650; letter-spacing: -0.02em; }
    .tile .unit { font-size: 15px; color: var(--muted); }
    .facts { columns: 3 280px; column-gap: 32px; margin: 0; }
    .facts > div { break-inside: avoid; padding-bottom: 14px; }
    .facts .small { font-size: 13px; }
    .facts dt { color: var(--muted); font-size: 13px; }
    .facts dd { margin: 0; font-size: 15px; }
    .facts ul { list-style: none; margin: 0; padding: 0; }
    section { margin-top: 48px; scroll-margin-top: 16px; }
    section > .quiet { margin-bottom: 16px; }
    section > .card + .card { margin-top: 16px; }
    .charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 340px), 1fr)); gap: 24px 32px;
      margin-top: 16px; }
    .charts.wide { grid-template-columns: minmax(0, 1fr); }
    .charts.beside { grid-template-columns: minmax(0, 400px) minmax(0, 1fr); align-items: start; }
    .charts.beside .scroll { margin-top: 0; max-height: 360px; }
    thead th { position: sticky; top: 0; }
    figure { margin: 0; min-width: 0; }
    .chart { display: block; width: 100%; height: auto; max-width: 440px; }
    .wide .chart { max-width: none; }
    .narrow-only { display: none; }
    @media (max-width: 720px) {
      .sheet { padding: 24px 12px 48px; }
      .card { padding: 16px 14px; }
      h1 { font-size: 26px; }
      section { margin-top: 36px; }
      .charts.beside { grid-template-columns: minmax(0, 1fr); }
      .wide-only { display: none; }
      .narrow-only { display: block; }
    }
    details > summary { cursor: pointer; color: var(--link); font-size: 14px; padding: 4px 0; }
    .folds { padding-top: 4px; padding-bottom: 4px; }
    .folds > details + details { border-top: 1px solid var(--line); }
    .folds > details[open] { padding-bottom: 20px; }
    .folds > details > summary { color: var(--text); padding: 12px 0; }
    .folds > details > summary h3 { display: inline; }
    .folds > details > summary .path { display: block; margin-left: 16px; }
    .folds > details > summary .note { margin-left: 6px; }
    .note { color: var(--muted); font-size: 14px; }
    .numbers { margin-top: 12px; }
    .scroll { overflow: auto; max-height: 560px; margin-top: 8px; border: 1px solid var(--line); border-radius: 8px; }
    table { border-collapse: collapse; width: 100%; font-size: 14px; font-variant-numeric: tabular-nums;
      overflow-wrap: normal; }
    th, td { text-align: left; padding: 7px 12px; white-space: nowrap; border-bottom: 1px solid var(--line); }
    thead th { color: var(--muted); font-weight: 600; font-size: 13px; background: var(--shade); }
    tbody tr:last-child td { border-bottom: 0; }
    .number { text-align: right; }
    .long { display: block; min-width: 18em; max-width: 44em; white-space: normal; overflow-wrap: anywhere; }
    .slower { color: var(--regression); font-weight: 600; }
    .empty { border-style: dashed; color: var(--muted); }
    footer { margin-top: 56px; color: var(--muted); font-size: 14px; }
    :focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
    @media print { details > :not(summary) { display: block; } .card, figure { break-inside: avoid; } }
    """
}
