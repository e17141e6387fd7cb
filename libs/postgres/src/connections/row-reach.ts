import { AsyncLocalStorage } from 'node:async_hooks';

/** Rows that the request of a restricted key may see. Null: of every memory, or every actor. */
export interface RowReach {
  readonly tenantId: string;
  readonly memoryId: string | null;
  readonly actorId: string | null;
}

const current = new AsyncLocalStorage<RowReach>();

/**
 * Runs work whose statements for this tenant see only rows within the reach, whatever their predicates say: the second
 * safeguard behind the checks of the request. Without row-level security, all rows of the tenant stay visible.
 */
export const withinReach = <T>(reach: RowReach, work: () => T): T => current.run(reach, work);

/** The reach of one request, for work that another request may do for it. */
export interface KeptReach {
  /** Equal for requests that may share a statement. */
  readonly name: string;
  readonly run: <T>(work: () => T) => T;
}

/** Keeps the current reach: what starts later on behalf of this request would run within that of its starter. */
export const keepReach = (): KeptReach => {
  const reach = current.getStore();
  return {
    name: JSON.stringify(reach ?? null),
    run: (work) => (reach === undefined ? current.exit(work) : current.run(reach, work)),
  };
};

/** Names of the database roles of connections that work for one tenant at a time. */
export interface TenantRoles {
  readonly app: string;
  /** Absent: rows are not restricted beyond the tenant. */
  readonly restricted?: string | undefined;
}

/** What a connection must be told before its next statement. */
export interface ConnectionChange {
  /** What the connection works for afterwards; equal texts need no change. */
  readonly worksFor: string;
  readonly text: string;
  readonly values: readonly string[];
}

const NAME_TENANT = `select set_config('turnkeeper.tenant', $1, false)`;
const NAME_REACH = `select set_config('turnkeeper.tenant', $1, false), set_config('turnkeeper.memory', $2, false),
  set_config('turnkeeper.actor', $3, false), set_config('role', $4, false)`;
/** Not part of a UUID, by which the unrestricted state is named. */
const RESTRICTED = 'restricted ';

/**
 * The statement that makes a connection work for a tenant within the current reach; null if it does already. Costs a
 * round trip only if the tenant or the reach changes.
 *
 * @param worksFor what the connection works for; undefined for a new one
 */
export const changeFor = (
  worksFor: string | undefined,
  tenantId: string,
  roles: TenantRoles,
): ConnectionChange | null => {
  const reach = current.getStore();
  if (reach === undefined || roles.restricted === undefined || reach.tenantId !== tenantId) {
    if (worksFor === tenantId) return null;
    return worksFor?.startsWith(RESTRICTED) === true
      ? { worksFor: tenantId, text: NAME_REACH, values: [tenantId, '', '', roles.app] }
      : { worksFor: tenantId, text: NAME_TENANT, values: [tenantId] };
  }
  const values = [tenantId, reach.memoryId ?? '', reach.actorId ?? '', roles.restricted];
  const next = `${RESTRICTED}${JSON.stringify(values)}`;
  return worksFor === next ? null : { worksFor: next, text: NAME_REACH, values };
};
