import { z } from 'zod';
import { forwardedRoute } from '../forwarded/contract.js';
import { foldForwarded } from '../forwarded/fold.js';
import { verifyForwarded } from '../forwarded/verify.js';
import { connectorBase } from '../management/connector-base.js';
import type { Vendor } from '../vendor.js';
import { planPipecatCall } from './conversation.js';
import { pipecat as forwarding, readPipecat } from './read.js';
import { pipecatBody, type PipecatBody } from './shapes.js';

/** Pipecat: the RTVI messages of a pipeline, which an observer forwards. */
export const pipecat = {
  name: 'pipecat',
  connector: {
    name: 'pipecat',
    body: z.strictObject({ vendor: z.literal('pipecat'), ...connectorBase }),
    callback: forwardedRoute(
      '/connectors/pipecat/{connectorId}',
      'receivePipecatMessages',
      'Receive RTVI messages of a Pipecat pipeline. The secret is the credential, as a bearer token.',
    ),
    eventTypes: 'Pipecat: always rtvi-messages.',
    verify: verifyForwarded(pipecatBody),
    read: readPipecat,
    fold: foldForwarded(forwarding, planPipecatCall),
  },
} as const satisfies Vendor<PipecatBody>;
