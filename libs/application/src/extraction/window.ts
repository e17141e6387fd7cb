import {
  everything,
  foldMessages,
  isSilentSource,
  isUserRole,
  type LogEvent,
  type MessageEvent,
  type WindowMessage,
} from '@turnkeeper/domain';

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/**
 * The messages of a stretch of a session that are worth reading, as they were heard: an assistant's message is cut
 * where it was interrupted. A reset of a window takes nothing away, for what was said before it stays true. Binary and
 * agents' events, empty turns and silent sources carry no facts.
 */
export const readableMessages = (events: readonly LogEvent[]): WindowMessage[] => [
  ...foldMessages(events, everything).flatMap((event) => readable(event)),
  ...events.flatMap((event) => (event.type === 'content.submitted' ? submitted(event) : [])),
];

/** The window and what goes before it. They are folded together: a cut in the window reaches back into the context. */
export const readableWindow = (
  before: readonly LogEvent[],
  events: readonly LogEvent[],
): { readonly context: readonly WindowMessage[]; readonly messages: readonly WindowMessage[] } => {
  const context = new Set(before.map(({ eventId }) => eventId));
  const all = readableMessages([...before, ...events]);
  return {
    context: all.filter(({ eventId }) => context.has(eventId)),
    messages: all.filter(({ eventId }) => !context.has(eventId)),
  };
};

const readable = (event: MessageEvent): WindowMessage[] => {
  const { role, content, metadata } = event.data;
  const source = textOf(metadata?.['source']);
  if (event.sequence === null || content.trim() === '' || isSilentSource(source)) return [];
  return [
    {
      eventId: event.eventId,
      sequence: event.sequence,
      role,
      speaker: textOf(metadata?.['speaker']) ?? textOf(metadata?.['user']),
      content,
      at: event.occurredAt ?? event.recordedAt,
      source,
    },
  ];
};

/** Content that was submitted for extraction has a hidden session of its own: nothing else is in the window with it. */
const submitted = (event: LogEvent<'content.submitted'>): WindowMessage[] => {
  const { role, content } = event.data;
  if (event.sequence === null || content.trim() === '') return [];
  const { eventId, sequence, recordedAt } = event;
  return [{ eventId, sequence, role, speaker: null, content, at: recordedAt, source: null }];
};

export const countUserTurns = (events: readonly LogEvent[]): number =>
  events.filter((event) => event.type === 'message.appended' && isUserRole(event.data.role)).length;
