/**
 * Journeys that cannot tell one queue backend from the other. `npm test` runs both backends side by side, and each of
 * these on one of them (`TK_E2E_SPLIT`). Faults, delays, restarts and the road of a conversation run on both.
 */
export const ON_ONE_QUEUE = {
  redis: [
    ...['agentbase-guide', 'contradiction', 'export-import', 'generated-client', 'model-endpoint'],
    ...['readme-tour', 'webhook-endpoints', 'console', 'erasure-of-every-read', 'vectors', 'half-pairs'],
    ...['second-calls', 'exact-integers', 'start-and-stop', 'agentbase-recall'],
    // Of appends and stops, which are decided in Postgres; `happy-path` sends a stopped agent's history on both.
    'agent-life',
  ],
  postgres: [
    ...['agora-guide', 'sqlite-guide', 'webhook-addresses', 'extraction-routes'],
    ...['connectors', 'heard', 'slow-model-at-start'],
    // Of one tenant's weight: memory and CPU of the processes, not of the queue.
    'heavy-tenant',
    // Of kills: `lost-worker` and `worker-killed` run on both.
    'extraction-killed',
    // Of locks that a frozen process holds in Postgres; `lost-worker` freezes a worker on both.
    'frozen-processes',
  ],
};

export const fileOf = (name) => `apps/e2e/src/${name}.e2e.spec.ts`;

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {string[]} files that this run leaves to the run on the other backend
 */
export const runElsewhere = ({ TK_E2E_SPLIT, TK_E2E_QUEUE }) =>
  TK_E2E_SPLIT === 'on'
    ? Object.entries(ON_ONE_QUEUE)
        .filter(([queue]) => queue !== TK_E2E_QUEUE)
        .flatMap(([, names]) => names.map(fileOf))
    : [];
