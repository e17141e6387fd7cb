import { isUserRole } from '@turnkeeper/domain';
import { sideAsked } from '../query/read-query.js';

/** What is needed to tell which side of a conversation a record is about. */
export interface SidedRecord {
  readonly text: string;
  /** Roles of the messages that state it. */
  readonly roles: readonly string[];
}

/** "My mother" asked by an actor is the actor's, so the other speaker's mother counts for this much. */
const OTHER_SIDE = 0.4;

/**
 * Returns the factor for a record's score: below 1 if the question asks about one side ("my mother", "your mother") and
 * the record is about the other. It is if only the other side stated it, it begins with a speaker's name, and it names no
 * other speaker: "Bea's mother works in Turin". Returns null for a question that asks about no side.
 *
 * @param speakers lower-case names
 */
export const factorBySide = (
  question: string,
  speakers: readonly string[],
): ((record: SidedRecord) => number) | null => {
  const side = speakers.length === 0 ? null : sideAsked(question, speakers);
  if (side === null) return null;
  const isOtherSides = (role: string): boolean => isUserRole(role) !== (side === 'user');
  return ({ text, roles }) => {
    if (roles.length === 0 || !roles.every(isOtherSides)) return 1;
    const said = ` ${text.toLowerCase().replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')} `;
    const named = speakers.filter((name) => said.includes(` ${name} `));
    const [only] = named;
    return named.length === 1 && said.startsWith(` ${only} `) ? OTHER_SIDE : 1;
  };
};
