import { createHmac } from 'node:crypto';
import type { HistoryLinks } from '@turnkeeper/application';
import { hexEquals } from '@turnkeeper/vendors';

export interface HistoryLinkOptions {
  /** Base URL of ingest for clients. Trailing slashes are removed. */
  readonly baseUrl: string;
  /** Lifetime of a new link in days. */
  readonly days: number;
  /** Signing key; must be the same in every process. */
  readonly secret: () => Promise<string>;
}

const DAY_SECONDS = 86_400;

/**
 * Links to an agent's full history: an HMAC-SHA256 over tenant, agent and expiry. No state is stored per link; changing
 * the key invalidates all links.
 */
export const createHistoryLinks = ({ baseUrl, days, secret }: HistoryLinkOptions): HistoryLinks => {
  const digest = async (tenantId: string, agentId: string, expires: number): Promise<Buffer> =>
    createHmac('sha256', await secret())
      .update(JSON.stringify(['agent history', tenantId, agentId, expires]))
      .digest();
  const seconds = (now: Date): number => Math.floor(now.getTime() / 1_000);
  return {
    urlOf: async ({ tenantId, agentId }, now) => {
      const expires = seconds(now) + days * DAY_SECONDS;
      const signature = (await digest(tenantId, agentId, expires)).toString('hex');
      const query = new URLSearchParams({ tenant: tenantId, expires: String(expires), signature });
      return `${baseUrl.replace(/(?<!\/)\/+$/, '')}/v1/agents/${agentId}/whole-history?${query}`;
    },
    isValid: async ({ tenantId, agentId, expires, signature }, now) =>
      hexEquals(await digest(tenantId, agentId, expires), signature) && expires > seconds(now),
  };
};
