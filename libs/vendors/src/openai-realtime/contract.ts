import { route } from '@turnkeeper/contracts';
import { z } from 'zod';
import { callbackOf, connectorBase } from '../management/connector-base.js';

/** Each request names the actor and the session, so there is nothing to configure. */
export const realtimeConnectorBody = z.strictObject({ vendor: z.literal('openai-realtime'), ...connectorBase });

export const realtimeCallback = route({
  ...callbackOf('/connectors/openai-realtime/{connectorId}'),
  id: 'receiveRealtimeEvents',
  summary: 'Receive server events of OpenAI’s Realtime API. The secret is the credential, as a bearer token.',
  headers: { Authorization: z.string().optional().describe('`Bearer` and the connector’s secret.') },
  refusals: ['connector.not_found', 'connector.signature_invalid'],
});
