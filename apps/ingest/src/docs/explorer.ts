import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { assetOf, type StaticAsset } from '../http/static-asset.js';
import { escapeHtml } from './html.js';

/** Base URL of the explorer's files: this server, so that nothing is loaded from other origins. */
const ASSETS = '/docs/assets';

/** Scripts and styles from this server only; requests that users try out also go to this server. */
export const EXPLORER_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const START = `window.addEventListener('load', () => {
  window.ui = SwaggerUIBundle({
    url: '/openapi.json',
    dom_id: '#explorer',
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    filter: true,
    tryItOutEnabled: true,
    validatorUrl: null,
  });
});
`;

const STYLE = `body{margin:0;background:#fff;font-family:system-ui,sans-serif}
header{background:#10202b;color:#fff;padding:.7rem 1.5rem;display:flex;gap:1.5rem;align-items:baseline;flex-wrap:wrap}
header strong{font-size:1.1rem}header a{color:#9fd0ff}.swagger-ui .info{margin:1.5rem 0}noscript{display:block;padding:1.5rem}
`;

const SCRIPT = 'text/javascript; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const FROM_PACKAGE: Readonly<Record<string, string>> = {
  'swagger-ui-bundle.js': SCRIPT,
  'swagger-ui.css': CSS,
  'favicon-32x32.png': 'image/png',
};
const OWN: Readonly<Record<string, readonly [type: string, text: string]>> = {
  'start.js': [SCRIPT, START],
  'page.css': [CSS, STYLE],
};

const require = createRequire(import.meta.url);

/** The explorer's files by name. Each is read once, on first use. */
export class ExplorerAssets {
  private readonly known = new Map<string, StaticAsset>();

  /** Null for any other name. */
  get(name: string): StaticAsset | null {
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const own = Object.hasOwn(OWN, name) ? OWN[name] : undefined;
    const type = Object.hasOwn(FROM_PACKAGE, name) ? FROM_PACKAGE[name] : undefined;
    if (own === undefined && type === undefined) return null;
    const asset =
      own === undefined
        ? assetOf(type ?? '', readFileSync(require.resolve(`swagger-ui-dist/${name}`)))
        : assetOf(own[0], Buffer.from(own[1]));
    this.known.set(name, asset);
    return asset;
  }
}

/** The interactive reference: every operation can be tried out with a key. */
export const explorerPage = (title: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)} API</title>
<meta name="viewport" content="width=device-width,initial-scale=1">
<link rel="icon" href="${ASSETS}/favicon-32x32.png"><link rel="stylesheet" href="${ASSETS}/swagger-ui.css">
<link rel="stylesheet" href="${ASSETS}/page.css"></head><body>
<header><strong>${escapeHtml(title)} API</strong><a href="/docs/plain">Plain page</a><a href="/docs/errors">Errors</a>
<a href="/openapi.json">openapi.json</a></header>
<noscript>This page needs JavaScript. <a href="/docs/plain">The plain page</a> does not.</noscript>
<div id="explorer"></div><script src="${ASSETS}/swagger-ui-bundle.js"></script><script src="${ASSETS}/start.js"></script>
</body></html>`;
