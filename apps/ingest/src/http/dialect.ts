import { VENDORS, type ApiErrors } from '@turnkeeper/vendors';
import { tokenErrors } from '../auth/token-errors.js';

/** How the vendors' APIs and the token endpoint report errors. */
const DIALECTS: readonly ApiErrors[] = [tokenErrors, ...VENDORS.flatMap(({ api }) => api?.errors ?? [])];

/** The errors of a URL of a vendor's API; undefined for our own problem details. */
export const dialectOf = (url: string): ApiErrors | undefined =>
  DIALECTS.find(({ prefixes }) => prefixes.some((prefix) => url.startsWith(prefix)));

/** Rewrites the alternative paths of a vendor's API to the routed one. */
export const rewriteVendorUrl = (url: string): string =>
  VENDORS.reduce((rewritten, { api }) => api?.rewriteUrl?.(rewritten) ?? rewritten, url);
