import type { ExistingRecord, ExtractionInput } from '@turnkeeper/application';
import { modelJson, weekdayOf, type WindowMessage } from '@turnkeeper/domain';

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
  return {
    eventId: (name) => events.get(name.toLowerCase()) ?? `alias:${name.slice(0, MAX_ALIAS_LENGTH)}`,
  };
};

/**
 * Renders the window as one JSON object per line: JSON quoting keeps a message on its own line, so it cannot pose as
 * another one. What seldom changes is not repeated: the day, the time, and the name of the only speaker of a role.
 */
export const renderConversation = ({ context, messages, summary, existing = [] }: ExtractionInput): string => {
  const only = onlySpeakers([...context, ...messages]);
  const linesOf = lineWriter(only);
  return [
    ...(only.size === 0 ? [] : [`Speakers: ${modelJson(Object.fromEntries(only))}`, '']),
    ...(summary === null || summary === undefined ? [] : [`Summary so far: ${modelJson(summary)}`, '']),
    ...(existing.length === 0 ? [] : ['Existing records:', ...existing.map(recordLine), '']),
    ...(context.length === 0 ? [] : ['Context:', ...linesOf('c', context), '']),
    'Conversation:',
    ...linesOf('m', messages),
  ].join('\n');
};

const recordLine = ({ text, statedAt, subject, attribute }: ExistingRecord, index: number): string =>
  modelJson({
    record: index + 1,
    said: statedAt.slice(0, 10),
    ...(subject == null ? {} : { subject }),
    ...(attribute == null ? {} : { attribute: attribute.name }),
    text,
  });

/** Speakers by role, of the roles that have one speaker only. */
const onlySpeakers = (messages: readonly WindowMessage[]): ReadonlyMap<string, string> => {
  const names = new Map<string, Set<string | null>>();
  for (const { role, speaker } of messages) names.set(role, (names.get(role) ?? new Set()).add(speaker));
  return new Map(
    [...names].flatMap(([role, [name = null, ...more]]) =>
      name === null || more.length > 0 ? [] : [[role, name] as const],
    ),
  );
};

const lineWriter = (only: ReadonlyMap<string, string>) => {
  let day = '';
  let minute = '';
  return (prefix: 'c' | 'm', messages: readonly WindowMessage[]): string[] =>
    messages.flatMap(({ role, speaker, at, content, isCut }, index) => {
      const [newDay, time] = [at.slice(0, 10), at.slice(11, 16)];
      const isNewDay = newDay !== day;
      const line = {
        id: alias(prefix, index),
        role,
        ...(speaker === null || only.has(role) ? {} : { speaker }),
        ...(time === '' || (time === minute && !isNewDay) ? {} : { time }),
        text: content,
        ...(isCut === true ? { interrupted: true } : {}),
      };
      [day, minute] = [newDay, time];
      return [...(isNewDay ? [modelJson({ day, weekday: weekdayOf(day) })] : []), modelJson(line)];
    });
};
