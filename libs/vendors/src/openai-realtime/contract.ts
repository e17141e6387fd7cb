import { z } from 'zod';
import { forwardedRoute } from '../forwarded/contract.js';
import { connectorBase } from '../management/connector-base.js';

/** Each request names the actor and the session, so there is nothing to configure. */
export const realtimeConnectorBody = z.strictObject({ vendor: z.literal('openai-realtime'), ...connectorBase });

export const realtimeCallback = forwardedRoute(
  '/connectors/openai-realtime/{connectorId}',
  'receiveRealtimeEvents',
  'Receive server events of OpenAI’s Realtime API. The secret is the credential, as a bearer token.',
);
