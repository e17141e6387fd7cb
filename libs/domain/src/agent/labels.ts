import { refusal } from '../errors.js';
import type { AgentStarted } from './agent-events.js';

/**
 * Agent labels that name the actor and session of a conversation. The first label present wins. `user_id` is the name
 * that many installations already use.
 */
const BINDING_LABELS = {
  memory: ['memory_id'],
  actor: ['actor_id', 'user_id'],
  session: ['session_id'],
} as const;

/** Values of the binding labels; null if absent. */
export interface LabelBinding {
  readonly memoryId: string | null;
  readonly actorId: string | null;
  readonly sessionId: string | null;
}

const isGiven = (value: unknown): boolean => (typeof value === 'string' && value !== '') || typeof value === 'number';

/** Name of the label that holds the user's id; defaults to the first candidate if none is present. */
export const actorLabelOf = (labels: AgentStarted['labels']): string =>
  BINDING_LABELS.actor.find((name) => isGiven(labels[name])) ?? BINDING_LABELS.actor[0];

export const bindingOfLabels = (labels: AgentStarted['labels']): LabelBinding => {
  const first = (names: readonly string[]): string | null => {
    for (const name of names) {
      const value = labels[name];
      if (typeof value === 'string' && value !== '') return value;
      // Platforms pass labels through unchanged, and many systems use numeric ids.
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

/** Thrown instead of attributing a conversation to a default actor. */
export class ActorLabelMissing extends refusal('agent.actor_label_missing', 'invalid', {
  message: 'The labels do not name the user.',
  field: 'properties.labels.actor_id',
  rule: `or ${BINDING_LABELS.actor.slice(1).join(', ')} is required`,
  next: "Put the user's id into the labels of the agent.",
}) {}

export class MemoryLabelMissing extends refusal('agent.memory_label_missing', 'invalid', {
  message: 'Neither the labels nor the registered app name a memory.',
  field: 'properties.labels.memory_id',
  rule: 'is required unless a memory is registered for the app',
  next: 'Put the memory id into the labels, or register the app with PUT /v1/vendor-apps/{vendor}/{appId}.',
}) {}
