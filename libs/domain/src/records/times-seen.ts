import { isUserRole } from '../session/roles.js';
import { type RecordSource, statementsIn } from './record-events.js';

/**
 * How often a fact was stated: the number of distinct user messages among its sources, or of agent messages if the user
 * never stated it. Context, such as the question before a short answer, is not counted.
 */
export const timesSeen = (sources: readonly Pick<RecordSource, 'eventId' | 'role' | 'context'>[]): number => {
  const statements = statementsIn(sources);
  const byUser = statements.filter(({ role }) => isUserRole(role));
  return new Set((byUser.length > 0 ? byUser : statements).map(({ eventId }) => eventId)).size;
};
