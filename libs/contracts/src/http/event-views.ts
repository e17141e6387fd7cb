import { z } from 'zod';

const stamp = z.iso.datetime({ offset: true });

/** Where an event was stored. */
export const appendedEventView = z
  .object({
    eventId: z.uuid(),
    sequence: z.int().describe('Sequence in the session, from 1.'),
    position: z.int().describe('Position in the log, from 1.'),
    recordedAt: stamp,
  })
  .meta({ id: 'AppendedEvent' });

/** A single event returns one object; a batch returns an object with `events`. */
export const appendedView = z.union([appendedEventView, z.object({ events: z.array(appendedEventView) })]);

/** An event in the format of AgentBase's clients (`id`, `payload`, `event_timestamp`), plus its sequence. */
export const eventView = z
  .object({
    id: z.uuid(),
    sequence: z.int().nullable(),
    position: z.int(),
    payload: z.object({
      type: z.string(),
      role: z.string().optional(),
      message: z.string().optional(),
      binaryData: z.string().optional(),
    }),
    event_timestamp: stamp,
    created_at: stamp,
    expires_at: stamp.nullable(),
    turnId: z.int().optional(),
    timestamp: z.int().optional(),
    metadata: z.record(z.string(), z.unknown()).optional(),
    toolCalls: z.array(z.record(z.string(), z.unknown())).optional(),
    toolCallId: z.string().optional(),
  })
  .meta({ id: 'Event' });
