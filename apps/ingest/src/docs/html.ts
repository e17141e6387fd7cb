export const escapeHtml = (value: unknown): string =>
  String(value).replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c] ?? c);

/** Text in which `…` is code. */
export const proseOf = (value: unknown): string =>
  value === undefined ? '' : escapeHtml(value).replace(/`([^`]+)`/g, '<code>$1</code>');

const STYLE = `:root{color-scheme:light dark;--b:#8884;--a:#2563eb;--s:#8881}@media(prefers-color-scheme:dark){:root{--a:#8ab4ff}}
*{box-sizing:border-box}body{font:15px/1.5 system-ui,sans-serif;margin:0 auto;max-width:70rem;padding:1.5rem}
a{color:var(--a)}h1{margin:0}h2{margin-top:2.2rem;border-bottom:1px solid var(--b)}h4{margin:.9rem 0 .2rem}
code{font:13px ui-monospace,monospace;background:var(--s);padding:.1em .3em;border-radius:3px}
details{border:1px solid var(--b);border-radius:6px;margin:.4rem 0}summary{cursor:pointer;padding:.45rem .7rem}
.op{padding:0 .9rem .6rem;border-top:1px solid var(--b)}.m{display:inline-block;width:4.2rem;font-weight:700;font-size:12px}
.get{color:#0a7d38}.post{color:var(--a)}.delete{color:#c0262d}.patch,.put{color:#a15c00}.s{opacity:.75}.or{margin:.3rem 0;opacity:.7}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%}td{border-top:1px solid var(--b);padding:.25rem .5rem;vertical-align:top}
td b{color:#c0262d;margin-left:.15em}th{text-align:left;padding:.25rem .5rem}tr:target{background:var(--s)}nav a{margin-right:1rem}`;

/** A whole page without scripts or external resources. */
export const pageOf = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><style>${STYLE}</style></head><body>
${body}</body></html>`;
