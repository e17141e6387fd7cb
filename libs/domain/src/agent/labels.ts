import { DomainError } from '../errors.js';
import type { AgentStarted } from './agent-events.js';

/**
 * The labels by which an agent of a voice platform says where its conversation belongs. The first that is there counts.
 * `user_id` is what many installations call their users already.
 */
export const BINDING_LABELS = {
  memory: ['memory_id'],
  actor: ['actor_id', 'user_id'],
  session: ['session_id'],
} as const;

/** What an agent's labels say; null where they say nothing. */
export interface LabelBinding {
  readonly memoryId: string | null;
  readonly actorId: string | null;
  readonly sessionId: string | null;
}

const isGiven = (value: unknown): boolean => (typeof value === 'string' && value !== '') || typeof value === 'number';

/** The label under which the user's id is given; the first of them where none is. */
export const actorLabelOf = (labels: AgentStarted['labels']): string =>
  BINDING_LABELS.actor.find((name) => isGiven(labels[name])) ?? BINDING_LABELS.actor[0];

export const bindingOfLabels = (labels: AgentStarted['labels']): LabelBinding => {
  const first = (names: readonly string[]): string | null => {
    for (const name of names) {
      const value = labels[name];
      if (typeof value === 'string' && value !== '') return value;
      // Platforms pass labels on as they came, and ids are numbers in many systems.
      if (typeof value === 'number') return String(value);
    }
    return null;
  };
  return {
    memoryId: first(BINDING_LABELS.memory),
    actorId: first(BINDING_LABELS.actor),
    sessionId: first(BINDING_LABELS.session),
  };
};

/** No conversation is ever put down to a default person. */
export class ActorLabelMissing extends DomainError {
  readonly code = 'agent.actor_label_missing';
  readonly kind = 'invalid';
  constructor() {
    super('The labels do not name the user.', {
      field: 'properties.labels.actor_id',
      rule: `or ${BINDING_LABELS.actor.slice(1).join(', ')} is required`,
      next: "Put the user's id into the labels of the agent.",
    });
  }
}

export class MemoryLabelMissing extends DomainError {
  readonly code = 'agent.memory_label_missing';
  readonly kind = 'invalid';
  constructor() {
    super('Neither the labels nor the registered app name a memory.', {
      field: 'properties.labels.memory_id',
      rule: 'is required unless a memory is registered for the app',
      next: 'Put the memory id into the labels, or register the app with PUT /v1/vendor-apps/{vendor}/{appId}.',
    });
  }
}
