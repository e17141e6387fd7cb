import { z } from 'zod';
import { EVENT_SCHEMAS } from './event-schemas.js';

const TYPES = Object.keys(EVENT_SCHEMAS).sort();

/** The JetStream message: ids of the events appended to a memory, never their content. */
export const eventNoticeMessage = z
  .strictObject({
    v: z.literal(1).describe('Version of this shape. A reader that does not know it must not guess.'),
    tenantId: z.uuid(),
    memoryId: z.uuid(),
    events: z
      .array(
        z.strictObject({
          position: z.int().describe('Place in the log; dense, in the order of commits.'),
          eventId: z.uuid(),
          type: z.enum(TYPES).describe('The events are described in docs/events.md.'),
          sessionKey: z
            .int()
            .nullable()
            .describe('Internal key of the session; null for events that belong to no session.'),
          sequence: z.int().nullable().describe('Place in the session; null for events that take none.'),
        }),
      )
      .describe('Neighbours in the log, by position.'),
  })
  .meta({ id: 'EventNotice' });
