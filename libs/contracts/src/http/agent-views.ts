import { z } from 'zod';

const stamp = z.iso.datetime({ offset: true });
const object = z.record(z.string(), z.unknown());

export const agentView = z
  .looseObject({
    agentId: z.uuid(),
    memoryId: z.uuid(),
    actorId: z.string(),
    sessionId: z.string(),
    name: z.string(),
    vendor: z.string(),
    status: z.string(),
    maxHistory: z.int(),
    channel: z.string().nullable(),
    systemMessages: z.array(object),
    params: object,
    labels: object,
    startedAt: stamp,
    stoppedAt: stamp.nullable(),
    stopReason: z.string().nullable(),
  })
  .meta({ id: 'Agent' });
