import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Logger, Settings } from '@turnkeeper/platform';
import { assetOf, type StaticAsset } from '../http/static-asset.js';

/** The build of `apps/console`; the path is the same from `src` and from `dist`. */
const CONSOLE_BUILD = join(import.meta.dirname, '..', '..', '..', 'console', 'dist');

/** Vite's build puts it where a nonce belongs; each response gets its own nonce. */
const NONCE_PLACEHOLDER = '__CSP_NONCE__';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export interface ConsolePage {
  readonly html: string;
  readonly policy: string;
}

/**
 * The built console in memory: a page for all of its URLs, and assets whose names change with their content. Only these
 * names are served, so a path from a request never reaches the file system.
 */
export class ConsoleFiles {
  private readonly html: string;
  private readonly assets = new Map<string, StaticAsset>();

  /** @param issuer origin of the OIDC issuer that users sign in with; null without one */
  constructor(
    folder: string,
    private readonly issuer: string | null,
  ) {
    this.html = readFileSync(join(folder, 'index.html'), 'utf8');
    const assets = join(folder, 'assets');
    for (const name of readdirSync(assets)) {
      const type = TYPES[extname(name)];
      if (type !== undefined) this.assets.set(name, assetOf(type, readFileSync(join(assets, name))));
    }
  }

  /** Null if the console was not built, as in tests that compile ingest only. */
  static open(folder: string, issuer: string | null): ConsoleFiles | null {
    return existsSync(join(folder, 'index.html')) ? new ConsoleFiles(folder, issuer) : null;
  }

  page(nonce = randomBytes(18).toString('base64')): ConsolePage {
    return { html: this.html.replaceAll(NONCE_PLACEHOLDER, nonce), policy: policyOf(nonce, this.issuer) };
  }

  asset(name: string): StaticAsset | null {
    return this.assets.get(name) ?? null;
  }
}

/** The console that the settings ask for; null without one. */
export const openConsole = (
  { CONSOLE, OIDC_CLIENT_ID, OIDC_ISSUER }: Settings,
  logger: Logger,
): ConsoleFiles | null => {
  const issuer = OIDC_CLIENT_ID === undefined ? undefined : OIDC_ISSUER;
  const origin = issuer === undefined ? null : new URL(issuer).origin;
  const files = CONSOLE === 'off' ? null : ConsoleFiles.open(CONSOLE_BUILD, origin);
  if (files === null && CONSOLE === 'on') logger.warn({}, 'console.not_built');
  return files;
};

/** Only this origin, plus the issuer for the exchange of a code. Nothing inline without the nonce. */
const policyOf = (nonce: string, issuer: string | null): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${issuer === null ? '' : ` ${issuer}`}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ');
