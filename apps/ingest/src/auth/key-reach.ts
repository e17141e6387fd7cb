import type { UserData } from '@turnkeeper/contracts';
import { isNamespaceOf } from '@turnkeeper/domain';
import { userDataOf } from '@turnkeeper/vendors';
import type { FastifyRequest } from 'fastify';
import { specOf } from '../edge/route-config.js';
import { KeyDoesNotReach } from './auth-errors.js';
import type { Caller } from './caller.js';
import { isParts, named, namespacesIn, type Owners } from './request-subjects.js';

type Reach = NonNullable<Caller['reach']>;

/** Routes that name no memory and return no memory data; open to keys restricted to a memory. */
const OF_THE_TENANT: ReadonlySet<string> = new Set(['getLimits', 'listErasureKeys']);

/**
 * Restricts a key made for one memory or actor, using the table `userDataOf`. The request must name its subjects, and
 * they must be the key's; routes without an entry are denied, so new routes are closed to such keys until the table
 * covers them.
 */
export class KeyReach {
  constructor(private readonly owners: Owners) {}

  /** Throws or rejects with `KeyDoesNotReach`. Costs nothing for unrestricted keys. */
  check(request: FastifyRequest, { tenantId, reach }: Caller): void | Promise<void> {
    if (reach === undefined) return;
    const spec = specOf(request);
    if (OF_THE_TENANT.has(spec?.id ?? '')) return;
    return this.checkRoute(request, tenantId, reach, userDataOf(spec?.id));
  }

  private async checkRoute(request: FastifyRequest, tenantId: string, reach: Reach, kind: UserData): Promise<void> {
    if (kind === 'operator') throw new KeyDoesNotReach();
    const { memoryId, actorId } = reach;
    const params = request.params as Readonly<Record<string, string>>;
    const agent = kind === 'agent' ? await this.owners.agent(tenantId, params['agentId'] ?? '') : undefined;
    // No such agent: the route reports it.
    if (agent === null) return;
    if (memoryId !== null) {
      const memories = [...named(request, 'memoryId'), ...(agent === undefined ? [] : [agent.memoryId])];
      // Outside the path a value counts only if the route reads it: vendor routes accept fields that they ignore.
      const isNamed = params['memoryId'] !== undefined || kind === 'actor' || agent !== undefined;
      if (!isNamed || !areAll(memories.map(lower), memoryId)) throw new KeyDoesNotReach();
    }
    if (actorId === null) return;
    const actors = [...named(request, 'actorId'), ...(agent === undefined ? [] : [agent.actorId])];
    // Checked even if the table requires something else.
    if (actors.some((id) => id !== actorId)) throw new KeyDoesNotReach();
    if (!(await this.isActors(request, tenantId, actorId, kind, actors.length > 0))) throw new KeyDoesNotReach();
  }

  private async isActors(
    request: FastifyRequest,
    tenantId: string,
    actorId: string,
    kind: UserData,
    namesActor: boolean,
  ): Promise<boolean> {
    const { memoryId = '', recordId = '' } = request.params as Readonly<Record<string, string>>;
    switch (kind) {
      case 'none':
        // A memory and its strategies are shared: readable, not writable.
        return request.method === 'GET' && memoryId !== '';
      case 'actor':
      case 'agent':
        return namesActor;
      case 'namespace':
        return this.areNamespacesOf(tenantId, memoryId, actorId, [
          isParts(request.query) && request.query['namespace'],
        ]);
      case 'namespaces':
        return this.areNamespacesOf(tenantId, memoryId, actorId, namespacesIn(request.body));
      case 'record': {
        const namespace = await this.owners.namespaceOfRecord(tenantId, memoryId, recordId);
        return namespace === null || this.areNamespacesOf(tenantId, memoryId, actorId, [namespace]);
      }
      case 'everyone':
      case 'operator':
        return false;
    }
  }

  /** A namespace that no template produces for a single actor is shared and out of reach. */
  private async areNamespacesOf(
    tenantId: string,
    memoryId: string,
    actorId: string,
    namespaces: readonly unknown[],
  ): Promise<boolean> {
    const strategies = await this.owners.strategies(tenantId, memoryId);
    const personal = strategies.filter(({ namespaceTemplate }) => namespaceTemplate.includes('{actorId}'));
    return (
      namespaces.length > 0 &&
      namespaces.every((namespace) => typeof namespace === 'string' && isNamespaceOf(personal, namespace, { actorId }))
    );
  }
}

const lower = (id: unknown): unknown => (typeof id === 'string' ? id.toLowerCase() : id);
const areAll = (ids: readonly unknown[], id: string): boolean => ids.length > 0 && ids.every((each) => each === id);
