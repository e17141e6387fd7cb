import type { UserData } from '@turnkeeper/contracts';
import { isNamespaceOf } from '@turnkeeper/domain';
import { RUNTIME_HEADERS, userDataOf } from '@turnkeeper/vendors';
import type { FastifyRequest } from 'fastify';
import { specOf } from '../edge/route-config.js';
import { named, namespacesIn, type Owners, type Parts } from './request-subjects.js';
import { RuntimeHeadersMissing, RuntimeNotForEveryone, RuntimeUserDiffers } from './auth-errors.js';

/** As Node spells the names of headers. */
const USER = RUNTIME_HEADERS.user.toLowerCase();
const SESSION = RUNTIME_HEADERS.session.toLowerCase();

/**
 * Restricts a request with the runtime's headers to their user. Both headers are required, and everything the request
 * reaches must belong to that user, per the table `userDataOf`. An actor or session in the path, the query or the body
 * must match the headers, even if the table requires something else. The headers never fill in missing values.
 */
export class RuntimeHeaders {
  /** @param required reject requests for user data without the headers */
  constructor(
    private readonly owners: Owners,
    private readonly required: boolean,
  ) {}

  /**
   * Throws or rejects with the client's error. Costs nothing without headers unless they are required. `isOperator`: the
   * caller has the scope admin, which need not send them.
   */
  check(request: FastifyRequest & { readonly tenantId?: string }, isOperator = false): void | Promise<void> {
    const user = request.headers[USER];
    const session = request.headers[SESSION];
    const isSilent = user === undefined && session === undefined;
    if (isSilent && !this.required) return;
    const kind = userDataOf(specOf(request)?.id);
    if (isSilent && (isOperator || ((kind === 'none' || kind === 'operator') && !namesActor(request)))) return;
    if (typeof user !== 'string' || user === '') throw new RuntimeHeadersMissing(RUNTIME_HEADERS.user);
    if (typeof session !== 'string' || session === '') {
      throw new RuntimeHeadersMissing(RUNTIME_HEADERS.session);
    }
    if (named(request, 'actorId').some((id) => !names(user, id))) throw new RuntimeUserDiffers('actorId');
    if (named(request, 'sessionId').some((id) => !names(session, id))) throw new RuntimeUserDiffers('sessionId');
    return this.checkReach(request, kind, { user, session });
  }

  private checkReach(
    request: FastifyRequest & { readonly tenantId?: string },
    kind: UserData,
    speaker: { readonly user: string; readonly session: string },
  ): void | Promise<void> {
    const { tenantId = '' } = request;
    const path = request.params as Readonly<Record<string, string>>;
    const query = request.query as Parts;
    switch (kind) {
      case 'none':
        return;
      case 'actor':
        if (!namesActor(request)) throw new RuntimeUserDiffers('actorId');
        return;
      case 'namespace':
        return this.checkNamespaces(tenantId, path['memoryId'], [query['namespace']], speaker);
      case 'namespaces':
        return this.checkNamespaces(tenantId, path['memoryId'], namespacesIn(request.body), speaker);
      case 'record':
        return this.owners
          .namespaceOfRecord(tenantId, path['memoryId'] ?? '', path['recordId'] ?? '')
          .then((namespace) =>
            namespace === null
              ? undefined
              : this.checkNamespaces(tenantId, path['memoryId'], [namespace], speaker, 'recordId'),
          );
      case 'agent':
        return this.owners.agent(tenantId, path['agentId'] ?? '').then((agent) => {
          if (agent !== null && !names(speaker.user, agent.actorId)) throw new RuntimeUserDiffers('agentId');
        });
      case 'everyone':
      case 'operator':
        throw new RuntimeNotForEveryone();
    }
  }

  private async checkNamespaces(
    tenantId: string,
    memoryId = '',
    namespaces: readonly unknown[],
    { user, session }: { readonly user: string; readonly session: string },
    field = 'namespace',
  ): Promise<void> {
    const strategies = await this.owners.strategies(tenantId, memoryId);
    // A UTF-8 header arrives as Latin-1: either reading can be the user id.
    const speakers = readings(user).flatMap((actorId) =>
      readings(session).map((sessionId) => ({ actorId, sessionId })),
    );
    const isTheirs = (namespace: unknown): boolean =>
      typeof namespace === 'string' && speakers.some((speaker) => isNamespaceOf(strategies, namespace, speaker));
    if (namespaces.length === 0 || !namespaces.every(isTheirs)) throw new RuntimeUserDiffers(field);
  }
}

const namesActor = (request: FastifyRequest): boolean => named(request, 'actorId').length > 0;

/** Header values arrive as Latin-1; decodes those that were sent as UTF-8. */
const readings = (header: string): string[] => [...new Set([header, Buffer.from(header, 'latin1').toString('utf8')])];
const names = (header: string, id: unknown): boolean => readings(header).some((reading) => reading === id);
