import {
  everything,
  foldMessages,
  isCutSomewhere,
  isSilentSource,
  isUserRole,
  plainText,
  speakerIn,
  type LogEvent,
  type MessageEvent,
  type WindowMessage,
} from '@turnkeeper/domain';

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? plainText(value) : null);

/**
 * The messages of an event range worth extracting from. A
 * context reset is ignored, because earlier statements remain true. Binary and agents' events, empty turns and silent
 * sources carry no facts.
 */
export const readableMessages = (events: readonly LogEvent[]): WindowMessage[] => [
  ...foldMessages(events, everything).flatMap((event) => readable(event)),
  ...events.flatMap((event) => (event.type === 'content.submitted' ? submitted(event) : [])),
];

const readable = (event: MessageEvent): WindowMessage[] => {
  const { role, content, metadata } = event.data;
  const source = textOf(metadata?.['source']);
  if (event.sequence === null || content.trim() === '' || isSilentSource(source)) return [];
  return [
    {
      eventId: event.eventId,
      sequence: event.sequence,
      role,
      speaker: speakerIn(metadata),
      content,
      at: event.occurredAt ?? event.recordedAt,
      source,
      ...(isCutSomewhere(event.data) ? { isCut: true } : {}),
    },
  ];
};

/** Submitted content is in a separate hidden session, so no other events are in its window. */
const submitted = (event: LogEvent<'content.submitted'>): WindowMessage[] => {
  const { role, content } = event.data;
  if (event.sequence === null || content.trim() === '') return [];
  const { eventId, sequence, recordedAt } = event;
  return [{ eventId, sequence, role, speaker: null, content, at: recordedAt, source: null }];
};

export const countUserTurns = (events: readonly LogEvent[]): number =>
  events.filter((event) => event.type === 'message.appended' && isUserRole(event.data.role)).length;
