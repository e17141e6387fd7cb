import type { AttributeValue, RecordDetails } from './record-details.js';

/** The attribute that a record gives a value to, if only one value can be current at a time. */
export interface Slot {
  /** Whose attribute, then `|`, then its name. */
  readonly key: string;
  /** Equal for equal values, whatever their spelling. */
  readonly value: string;
}

/**
 * The slot that a fact fills; null if it has no attribute of which only one value is current.
 *
 * @param actorKey identifies the session's actor, whom facts without a subject are about; must contain no `|`
 */
export const slotOf = (
  { attribute, subject }: Pick<RecordDetails, 'attribute' | 'subject'>,
  actorKey: string,
): Slot | null =>
  attribute?.single === true
    ? { key: `${subjectKey(subject) || actorKey}|${attribute.name}`, value: valueKey(attribute) }
    : null;

/** Equal for one person, however the name is spelled; empty for the session's actor. */
export const subjectKey = (subject: string | null | undefined): string =>
  plain(subject ?? '')
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();

/** "NG 447-12 B" and "ng44712b" are one value. A value without letters and digits is compared as it is. */
const valueKey = ({ value }: AttributeValue): string =>
  plain(value).replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '') || value.trim();

const plain = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Whether the newer of two statements ends the older one. */
export const contradicts = (older: Slot, newer: Slot): boolean =>
  older.key === newer.key && older.value !== newer.value;

/** Whether two statements give one attribute the same value. */
export const saysTheSame = (one: Slot, other: Slot): boolean => one.key === other.key && one.value === other.value;

/** Attribute of the slot that all records of one session fill, so that only the newest is current. */
export const EPISODE = 'episode';

/**
 * The slot of a session's episode.
 *
 * @param session identifies the session; must contain no `|`
 * @param version identifies the text
 */
export const episodeSlot = (session: string, version: string): Slot => ({
  key: `${session}|${EPISODE}`,
  value: version,
});
