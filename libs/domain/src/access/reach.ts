import { refusal } from '../errors.js';
import { isNamespaceOf, isNamespaceOfOnly, type NamespaceSource } from '../strategy/namespace.js';

/** What a caller may read, change and erase. Null: not limited to one. */
export interface Reach {
  readonly tenantId: string;
  readonly memoryId: string | null;
  readonly actorId: string | null;
  /** The session that the runtime's headers name. A key is not limited to a session. */
  readonly sessionId: string | null;
}

export const wholeTenant = (tenantId: string): Reach => ({
  tenantId,
  memoryId: null,
  actorId: null,
  sessionId: null,
});

/** What is read, changed or erased. Null: every memory, or every actor. */
export interface Subject {
  readonly memoryId: string | null;
  readonly actorId: string | null;
}

/** The caller is restricted to one memory or one actor, and the request concerns another one or all of them. */
export class OutOfReach extends refusal('auth.out_of_reach', 'forbidden', {
  message: 'The key is restricted to one memory or actor, and this request refers to more or to something else.',
  title: 'The key has no access to this.',
  field: 'Authorization',
  rule: 'must be a key of the whole tenant, or of the memory and actor that the request names',
  next: 'Use an unrestricted key, or the memory and actor of this one.',
}) {}

export const reaches = (reach: Reach, { memoryId, actorId }: Subject): boolean =>
  (reach.memoryId === null || reach.memoryId === memoryId) && (reach.actorId === null || reach.actorId === actorId);

/** Throws `OutOfReach` unless the caller reaches the whole subject. */
export const assertReaches = (reach: Reach, subject: Subject): void => {
  if (!reaches(reach, subject)) throw new OutOfReach();
};

/**
 * Whether the caller reaches the records of a namespace. One that is limited to an actor reaches the namespaces that hold
 * records of this actor only: `/shared` and `/calls/{sessionId}` are out of reach, because two actors can have sessions
 * of the same name. On behalf of a user, the runtime also reaches what the operator shares: `/shared`, and the namespace of
 * the user's session.
 *
 * @param strategies every strategy of the memory
 */
export const reachesNamespace = (
  { actorId, sessionId }: Reach,
  strategies: readonly NamespaceSource[],
  namespace: string,
): boolean => {
  if (actorId === null) return true;
  return sessionId === null
    ? isNamespaceOfOnly(strategies, namespace, actorId)
    : isNamespaceOf(strategies, namespace, { actorId, sessionId });
};

/** Throws `OutOfReach` unless the caller reaches the records of this namespace. */
export const assertReachesNamespace = (
  reach: Reach,
  strategies: readonly NamespaceSource[],
  namespace: string,
): void => {
  if (!reachesNamespace(reach, strategies, namespace)) throw new OutOfReach();
};
