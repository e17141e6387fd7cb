import type { ExtractionInput } from '@turnkeeper/application';
import { modelJson, type WindowMessage } from '@turnkeeper/domain';

/** Short aliases that replace event ids in a prompt. Real event ids are never sent to the model. */
export interface Aliases {
  /**
   * The event id for an alias. For an unknown alias, returns text that is no event's id, so that `admit` rejects it.
   */
  eventId(alias: string): string;
}

const MAX_ALIAS_LENGTH = 40;
/** Messages to extract from are m1, m2, …; context messages are c1, c2, …. */
const alias = (prefix: 'c' | 'm', index: number): string => `${prefix}${index + 1}`;

export const aliasesOf = (context: readonly WindowMessage[], messages: readonly WindowMessage[]): Aliases => {
  const events = new Map([
    ...context.map(({ eventId }, index) => [alias('c', index), eventId] as const),
    ...messages.map(({ eventId }, index) => [alias('m', index), eventId] as const),
  ]);
  return { eventId: (name) => events.get(name) ?? `alias:${name.slice(0, MAX_ALIAS_LENGTH)}` };
};

/**
 * Renders the window as one JSON object per line: JSON quoting keeps a message on its own line, so it cannot pose as
 * another one. Existing records precede it in the same format, numbered from 1.
 */
export const renderConversation = ({ context, messages, summary, existing }: ExtractionInput): string => {
  const line =
    (prefix: 'c' | 'm') =>
    ({ role, speaker, at, content }: WindowMessage, index: number): string =>
      modelJson({ id: alias(prefix, index), role, speaker, at, weekday: weekdayOf(at), text: content });
  const records = existing ?? [];
  return [
    ...(summary === null || summary === undefined ? [] : [`Summary so far: ${modelJson(summary)}`, '']),
    ...(records.length === 0
      ? []
      : [
          'Existing records:',
          ...records.map(({ text, statedAt }, index) => modelJson({ record: index + 1, stated_at: statedAt, text })),
          '',
        ]),
    ...(context.length === 0 ? [] : ['Context, read before:', ...context.map(line('c')), '']),
    'Conversation:',
    ...messages.map(line('m')),
  ].join('\n');
};

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const DAY_MS = 86_400_000;
/** Weekday at the message's own offset; 1 January 1970 was a Thursday. */
const weekdayOf = (at: string): string | null => {
  const day = Date.parse(`${at.slice(0, 10)}T00:00:00Z`) / DAY_MS;
  return Number.isNaN(day) ? null : (WEEKDAYS[(((day + 4) % 7) + 7) % 7] ?? null);
};
