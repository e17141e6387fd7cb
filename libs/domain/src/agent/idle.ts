import type { Agent } from './agent.js';

/**
 * When an agent becomes idle if no further event arrives (ISO 8601). Returns null if it has no idle timeout.
 *
 * @param lastActivityAt when the newest event of its session was recorded
 */
export const idleDueAt = (agent: Pick<Agent, 'idleTimeoutSeconds'>, lastActivityAt: string): string | null =>
  agent.idleTimeoutSeconds === 0
    ? null
    : new Date(Date.parse(lastActivityAt) + agent.idleTimeoutSeconds * 1_000).toISOString();
