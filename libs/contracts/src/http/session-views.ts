import { z } from 'zod';

const stamp = z.iso.datetime({ offset: true });
const status = z.enum(['ACTIVE']);

/** An end user, made by the first event. */
export const actorView = z
  .object({
    memoryId: z.uuid(),
    actorId: z.string(),
    status,
    sessions: z.int().describe('Sessions of this actor.'),
    createdAt: stamp,
  })
  .meta({ id: 'Actor' });

export const actorDetailsView = actorView
  .extend({ lastEventAt: stamp.nullable().describe('Null when no event is left.') })
  .meta({ id: 'ActorDetails' });

/** One conversation thread of an actor, made by its first event. */
export const sessionView = z
  .object({ memoryId: z.uuid(), actorId: z.string(), sessionId: z.string(), status, createdAt: stamp })
  .meta({ id: 'Session' });

export const sessionDetailsView = sessionView
  .extend({
    events: z.int().describe('Messages and binary events that can be read.'),
    newestSequence: z.int().describe('The sequence to expect when appending; 0 before the first event.'),
    lastEventAt: stamp.nullable(),
  })
  .meta({ id: 'SessionDetails' });

/** What a memory holds now: expired and deleted events do not count. */
export const usageView = z
  .object({
    actors: z.int(),
    sessions: z.int(),
    messages: z.int(),
    binaryEvents: z.int(),
    records: z.int(),
    supersededRecords: z.int(),
  })
  .meta({ id: 'MemoryUsage' });
