import type { Ids, ReadNotice } from '@turnkeeper/application';
import { readForwarded } from '../forwarded/read.js';
import { PART, pipecatEvent, RTVI_TYPES, type PipecatBody } from './shapes.js';

export const pipecat = { idName: 'pipecat', event: pipecatEvent };

const read = readForwarded(pipecat, new Set([PART]));

/** One notice per request: a message can be as short as a word. */
export const readPipecat = (
  { events, position, ...body }: PipecatBody,
  context: { readonly ids: Ids },
): readonly ReadNotice[] => {
  const messages = events.flatMap((message, index) =>
    RTVI_TYPES.has(message.type) ? [{ at: position + index, message }] : [],
  );
  const part = { type: PART, position, count: events.length, messages };
  return read({ ...body, events: events.length === 0 ? [] : [part] }, context);
};
