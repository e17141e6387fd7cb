import { DomainError, refusal } from '@turnkeeper/domain';

/** The request names no memory, or no user. */
export class ChatSubjectMissing extends DomainError {
  readonly code = 'chat.subject_missing';
  readonly kind = 'invalid';
  constructor(field: 'memory' | 'actor') {
    const { header, query, body } = PLACES[field];
    const rule = `is required: the header ${header}, the query parameter ${query}, or ${body} in the body`;
    super(`The ${field} of the conversation ${rule}.`, {
      title: 'The request does not say whose conversation it is.',
      field: header,
      rule,
      next: 'Set the header on the client, or add the parameter to its base URL. A key of one memory and actor needs neither.',
    });
  }
}

const PLACES = {
  memory: { header: 'Turnkeeper-Memory', query: 'memoryId', body: 'metadata.memory_id' },
  actor: { header: 'Turnkeeper-Actor', query: 'actorId', body: 'metadata.actor_id or user' },
} as const;

/** The installation forwards to no model. */
export class ChatNotConfigured extends refusal('chat.not_configured', 'not_found', {
  message: 'This server forwards to no model.',
  title: 'No model is configured.',
  field: 'CHAT_MODEL_URL',
  rule: 'must be the OpenAI-compatible endpoint of the model',
  next: 'An operator sets CHAT_MODEL_URL of ingest.',
}) {}

/** The memory was not read in time, and calls may not go on without it. */
export class ChatMemoryLate extends refusal('chat.memory_late', 'late', {
  message: 'The memory was not read within CHAT_MEMORY_MS.',
  title: 'The memory was not read in time.',
  rule: 'must be read within CHAT_MEMORY_MS of this server',
  next: 'Send the request again.',
}) {}
