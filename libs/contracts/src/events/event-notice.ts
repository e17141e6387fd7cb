import { z } from 'zod';
import { EVENT_SCHEMAS } from './event-schemas.js';

const TYPES = Object.keys(EVENT_SCHEMAS).sort();

/** The JetStream message: ids of the events appended to a memory, never their content. */
export const eventNoticeMessage = z
  .strictObject({
    v: z.literal(1).describe('Version of the message format. Reject unknown versions.'),
    tenantId: z.uuid(),
    memoryId: z.uuid(),
    events: z
      .array(
        z.strictObject({
          position: z.int().describe('Position in the log: in commit order, without gaps.'),
          eventId: z.uuid(),
          type: z.enum(TYPES).describe('Event type; see docs/events.md.'),
          sessionKey: z.int().nullable().describe('Internal key of the session; null for events outside a session.'),
          sequence: z.int().nullable().describe('Sequence in the session; null for events without one.'),
        }),
      )
      .describe('Adjacent events of the log, in position order.'),
  })
  .meta({ id: 'EventNotice' });
