import type { Agent } from './agent.js';

/**
 * When an agent has been idle for too long if nothing happens any more (ISO 8601), or null when it may be idle for ever.
 *
 * @param lastActivityAt when the newest event of its session was recorded
 */
export const idleDueAt = (agent: Pick<Agent, 'idleTimeoutSeconds'>, lastActivityAt: string): string | null =>
  agent.idleTimeoutSeconds === 0
    ? null
    : new Date(Date.parse(lastActivityAt) + agent.idleTimeoutSeconds * 1_000).toISOString();
