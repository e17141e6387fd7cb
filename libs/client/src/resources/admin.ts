import type {
  ApiKey,
  BodyOf,
  ErasureReceipt,
  MadeApiKey,
  ParkedWork,
  QueryOf,
  Reconciliation,
  Tenant,
} from '../api/types.js';
import { List } from '../http/list.js';
import type { CallOptions, Transport } from '../http/transport.js';

const TENANTS = '/v1/admin/tenants';
const TENANT = `${TENANTS}/{tenantId}` as const;
const KEYS = `${TENANT}/keys` as const;
const KEY = `${KEYS}/{keyId}` as const;
const PARKED = '/v1/admin/parked';

/** Administration of an installation. Needs a key with the scope `admin`. */
export class Admin {
  constructor(private readonly transport: Transport) {}

  tenants(call?: CallOptions): List<Tenant> {
    return List.of<Tenant, string>((after) =>
      this.transport.request(
        'get',
        TENANTS,
        { query: { limit: 100, ...(after === undefined ? {} : { after }) } },
        call,
      ),
    );
  }

  createTenant(body: BodyOf<'post', typeof TENANTS>, call?: CallOptions): Promise<Tenant> {
    return this.transport.request('post', TENANTS, { body }, call);
  }

  tenant(tenantId: string, call?: CallOptions): Promise<Tenant> {
    return this.transport.request('get', TENANT, { path: { tenantId } }, call);
  }

  /** Sets limits of a tenant. */
  changeTenant(tenantId: string, body: BodyOf<'patch', typeof TENANT>, call?: CallOptions): Promise<Tenant> {
    return this.transport.request('patch', TENANT, { path: { tenantId }, body }, call);
  }

  /** Deletes a tenant: its keys at once, then everything it has. Cannot be undone. */
  deleteTenant(tenantId: string, call?: CallOptions): Promise<ErasureReceipt> {
    return this.transport.request('delete', TENANT, { path: { tenantId } }, call);
  }

  keys(tenantId: string, call?: CallOptions): List<ApiKey> {
    return List.of<ApiKey, string>((after) => {
      const query = { limit: 100, ...(after === undefined ? {} : { after }) };
      return this.transport.request('get', KEYS, { path: { tenantId }, query }, call);
    });
  }

  /** Creates an API key, which is shown only here. */
  createKey(tenantId: string, body: BodyOf<'post', typeof KEYS>, call?: CallOptions): Promise<MadeApiKey> {
    return this.transport.request('post', KEYS, { path: { tenantId }, body }, call);
  }

  /** Creates a key that replaces another, which stays valid for the overlap (default: 24 hours). */
  rotateKey(
    tenantId: string,
    keyId: string,
    { overlapHours = 24, ...call }: CallOptions & { readonly overlapHours?: number } = {},
  ): Promise<MadeApiKey> {
    const input = { path: { tenantId, keyId }, body: { overlapHours } };
    return this.transport.request('post', `${KEY}/rotate`, input, call);
  }

  async revokeKey(tenantId: string, keyId: string, call?: CallOptions): Promise<void> {
    await this.transport.request('delete', KEY, { path: { tenantId, keyId } }, call);
  }

  /** Work that failed permanently, over all tenants. */
  parked(filter: Omit<QueryOf<'get', typeof PARKED>, 'after' | 'limit'> = {}, call?: CallOptions): List<ParkedWork> {
    return List.of<ParkedWork, string>((after) => {
      const query = { ...filter, limit: 100, ...(after === undefined ? {} : { after }) };
      return this.transport.request('get', PARKED, { query }, call);
    });
  }

  /** Tries parked work again. @param askAgain of a window: ask the model again and do not use its stored answer */
  async replayParked(
    parkedId: string,
    { askAgain = false, ...call }: CallOptions & { readonly askAgain?: boolean } = {},
  ): Promise<void> {
    const input = { path: { parkedId }, query: { askAgain } };
    await this.transport.request('post', `${PARKED}/{parkedId}/replay`, input, call);
  }

  /** Drops parked work permanently. */
  async dropParked(parkedId: string, call?: CallOptions): Promise<void> {
    await this.transport.request('delete', `${PARKED}/{parkedId}`, { path: { parkedId } }, call);
  }

  /** Compares the stream with the log, and publishes what is missing from it. */
  reconcile(call?: CallOptions): Promise<Reconciliation> {
    return this.transport.request('post', '/v1/admin/reconcile', {}, call);
  }
}
