import { isUserRole, type LogEvent, type WindowMessage } from '@turnkeeper/domain';

/** Sources that a voice platform speaks or notes by itself: they say nothing about the user. */
const SILENT_SOURCES: ReadonlySet<string> = new Set(['greeting', 'silence', 'llm_failure', 'memory']);

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** The messages of a stretch of a session that are worth reading; the others (binary, agents', empty) carry no facts. */
export const readableMessages = (events: readonly LogEvent[]): WindowMessage[] =>
  events.flatMap((event) => {
    if (event.type !== 'message.appended' || event.sequence === null) return [];
    const { role, content, metadata } = event.data;
    const source = textOf(metadata?.['source']);
    if (content.trim() === '' || (source !== null && SILENT_SOURCES.has(source))) return [];
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
  });

export const countUserTurns = (events: readonly LogEvent[]): number =>
  events.filter((event) => event.type === 'message.appended' && isUserRole(event.data.role)).length;
