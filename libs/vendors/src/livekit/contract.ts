import { z } from 'zod';
import { forwardedRoute } from '../forwarded/contract.js';
import { connectorBase } from '../management/connector-base.js';

/** Each request names the actor and the session, so there is nothing to configure. */
export const livekitConnectorBody = z.strictObject({ vendor: z.literal('livekit'), ...connectorBase });

export const livekitCallback = forwardedRoute(
  '/connectors/livekit/{connectorId}',
  'receiveLivekitEvents',
  'Receive events of a LiveKit agent’s session, with the secret as a bearer token, or a webhook of LiveKit’s server, signed with it.',
  ['connector.signature_stale'],
);
