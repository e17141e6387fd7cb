import { isDeepStrictEqual } from 'node:util';

/**
 * Compares the turns that were sent with what the API gives back, field by field.
 *
 * @param {import('./locomo.mjs').Session} session
 * @param {readonly any[]} stored events of the session, oldest first
 * @returns {{ equal: number, different: string[] }} turns that are equal; a line for each difference, which names the
 *   field and shows no content
 */
export const compareSession = ({ actorId, sessionId, turns }, stored) => {
  const place = `${actorId}/${sessionId}`;
  const perTurn = turns.map((turn, index) => faultsOf(turn, stored[index], index + 1));
  const surplus = stored.length - turns.length;
  return {
    equal: perTurn.filter((faults) => faults.length === 0).length,
    different: [
      ...perTurn.flatMap((faults, index) => faults.map((fault) => `${place}: turn ${index + 1} ${fault}`)),
      ...(surplus > 0 ? [`${place}: ${surplus} more events than were sent`] : []),
    ],
  };
};

const faultsOf = (turn, event, sequence) =>
  event === undefined ? ['is missing'] : differingFields(turn, event, sequence).map((field) => `differs in ${field}`);

const differingFields = ({ payload, eventTimestamp, metadata }, event, sequence) => {
  const pairs = {
    sequence: [sequence, event.sequence],
    type: [payload.type, event.payload.type],
    role: [payload.role, event.payload.role],
    message: [payload.message, event.payload.message],
    metadata: [metadata, event.metadata],
    // A time can be returned in another notation; a turn sent without a time has its arrival time.
    ...(eventTimestamp === undefined
      ? {}
      : { eventTimestamp: [Date.parse(eventTimestamp), Date.parse(event.event_timestamp)] }),
  };
  return Object.keys(pairs).filter((field) => !isDeepStrictEqual(pairs[field][0], pairs[field][1]));
};
