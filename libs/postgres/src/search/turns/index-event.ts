import type { LogEvent } from '@turnkeeper/domain';
import { indexTurn, type IndexedTurn, type Language } from '@turnkeeper/search';

/**
 * A message in index form.
 *
 * @param languages languages per session; updated with the message's
 * @param before language of a text that does not show its own; default: the session's prevailing language
 */
export const indexEvent = (
  event: LogEvent<'message.appended'>,
  languages: Map<number, Set<Language>>,
  before?: Language,
): IndexedTurn | null => {
  const key = event.sessionKey ?? 0;
  const known = languages.get(key) ?? new Set<Language>();
  languages.set(key, known);
  const turn = indexTurn(event.data, event.occurredAt ?? event.recordedAt, before ?? prevailing(known));
  if (turn !== null) known.add(turn.language);
  return turn;
};

/** Language for an ambiguous text: a non-English language of the session, else English. */
const prevailing = (languages: ReadonlySet<Language>): Language =>
  [...languages].filter((language) => language !== 'en').sort()[0] ?? 'en';
