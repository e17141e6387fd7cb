import type { AuditEntry, Caller, ErasureReceiptEverywhere, Limit } from './api/types.js';
import { List } from './http/list.js';
import type { Input, Method, Operation, PathOf, Result } from './http/operations.js';
import { Transport, type CallOptions, type TurnkeeperOptions } from './http/transport.js';
import { Admin } from './resources/admin.js';
import { Agents } from './resources/agents.js';
import { Memories, MemoryHandle } from './resources/memories.js';
import { Webhooks } from './resources/webhooks.js';

/**
 * Client of a Turnkeeper server.
 *
 * @example
 * const turnkeeper = new Turnkeeper({ baseUrl: 'http://localhost:8080', apiKey });
 * const session = turnkeeper.memory(memoryId).session('linh', 'call-1');
 * await session.append({ role: 'user', content: 'I moved to Hue last month.' });
 */
export class Turnkeeper {
  readonly memories: Memories;
  readonly agents: Agents;
  readonly webhooks: Webhooks;
  readonly admin: Admin;
  private readonly transport: Transport;

  constructor(options: TurnkeeperOptions) {
    this.transport = new Transport(options);
    this.memories = new Memories(this.transport);
    this.agents = new Agents(this.transport);
    this.webhooks = new Webhooks(this.transport);
    this.admin = new Admin(this.transport);
  }

  /** A memory by its id. Sends nothing. */
  memory(memoryId: string): MemoryHandle {
    return new MemoryHandle(this.transport, memoryId);
  }

  /** Erases everything about an actor in all memories of the tenant. */
  deleteActor(actorId: string, call?: CallOptions): Promise<ErasureReceiptEverywhere> {
    return this.transport.request('delete', '/v1/actors/{actorId}', { path: { actorId } }, call);
  }

  /** Whose key this is, and what it may do. */
  caller(call?: CallOptions): Promise<Caller> {
    return this.transport.request('get', '/v1/auth/caller', {}, call);
  }

  /** The tenant's limits, and how much of them is used. */
  async limits(call?: CallOptions): Promise<Limit[]> {
    return (await this.transport.request('get', '/v1/limits', {}, call)).limits;
  }

  /** Who changed and exported what, oldest first. Needs a key with the scope `audit:read`. */
  auditLog(call?: CallOptions): List<AuditEntry> {
    return List.of<AuditEntry, string>((after) => {
      const query = { limit: 100, ...(after === undefined ? {} : { after: Number(after) }) };
      return this.transport.request('get', '/v1/audit-log', { query }, call);
    });
  }

  /**
   * Calls any operation of the API by method and path template. Parameters, body and result have the types of the API's
   * description.
   *
   * @example
   * await turnkeeper.request('get', '/v1/connectors', { query: { limit: 10 } });
   */
  request<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    input: Input<Operation<M, P>>,
    call?: CallOptions,
  ): Promise<Result<Operation<M, P>>> {
    return this.transport.request(method, path, input, call);
  }
}
