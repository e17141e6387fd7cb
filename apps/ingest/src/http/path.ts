import { actorId, parseOrRefuse, sessionId, uuid } from '@turnkeeper/contracts';
import { MemoryNotFound } from '@turnkeeper/domain';
import type { SessionScope } from '@turnkeeper/application';

/** An id that cannot name a memory names none: the same answer as for an unknown one. */
export const memoryIdOf = (value: string): string => {
  const parsed = uuid.safeParse(value);
  if (!parsed.success) throw new MemoryNotFound();
  return parsed.data.toLowerCase();
};

export const sessionScopeOf = (
  tenantId: string,
  path: { readonly memoryId: string; readonly actorId: string; readonly sessionId: string },
): SessionScope => ({
  tenantId,
  memoryId: memoryIdOf(path.memoryId),
  actorId: parseOrRefuse('actorId', actorId, path.actorId),
  sessionId: parseOrRefuse('sessionId', sessionId, path.sessionId),
});
