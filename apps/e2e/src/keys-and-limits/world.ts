import { APPLICATION_SCOPES, SCOPES } from '@turnkeeper/contracts';
import { eventually } from '@turnkeeper/testing';
import { expect } from 'vitest';
import type { Problem } from '../harness/answers.js';
import type { Api } from '../harness/api.js';
import { plant } from '../harness/planted-markers.js';
import { Stack } from '../harness/stack.js';
import { startTokenIssuer, type TokenIssuer } from '../harness/token-issuer.js';

export interface Key {
  readonly id: string;
  readonly scopes: readonly string[];
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
  readonly replacedBy: string | null;
}
export type MadeKey = Key & { readonly apiKey: string };

/** An ingest with a token issuer and an operator, shared by all cases. Started before the first of them. */
export class AccessWorld {
  stack!: Stack;
  issuer!: TokenIssuer;
  operator!: Api;
  private names = 0;

  readonly start = async (): Promise<void> => {
    this.issuer = await startTokenIssuer();
    this.stack = await Stack.start({
      worker: false,
      settings: { OIDC_ISSUER: this.issuer.url, OIDC_AUDIENCE: this.issuer.audience, OIDC_CLIENT_ID: 'console' },
    });
    this.operator = this.as(await this.stack.createKey({ tenant: 'operators', scopes: SCOPES }));
  };

  readonly stop = async (): Promise<void> => {
    await this.stack.stop();
    await this.issuer.close();
  };

  readonly newTenant = async (more: object = {}): Promise<{ id: string; name: string }> => {
    const name = `tenant-${(this.names += 1)}`;
    const { status, body } = await this.operator.request<{ id: string; name: string }>('POST', '/v1/admin/tenants', {
      body: { name, ...more },
    });
    expect(status).toBe(201);
    return body;
  };

  /** Created through the API: the command line takes seconds on a busy machine. */
  readonly keyOf = async ({ id }: { readonly id: string }): Promise<string> => {
    const made = await this.operator.request<MadeKey>('POST', `/v1/admin/tenants/${id}/keys`, {
      body: { scopes: APPLICATION_SCOPES },
    });
    expect(made.status).toBe(201);
    plant(made.body.apiKey);
    return made.body.apiKey;
  };

  readonly as = (apiKey: string): Api => this.stack.apiOf(this.stack.ingests[0]!, apiKey);

  readonly reads = async (credential: string): Promise<number> =>
    (await this.as(credential).request('GET', '/memory/memories')).status;

  readonly writes = (credential: string) =>
    this.as(credential).request<Problem>('POST', '/memory/memories', { body: { name: 'a' } });

  /** A cached key stays valid for two more seconds. */
  readonly untilRefused = (credential: string) => eventually(async () => (await this.reads(credential)) === 401);
}
