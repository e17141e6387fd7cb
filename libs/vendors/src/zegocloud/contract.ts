import { route } from '@turnkeeper/contracts';
import { z } from 'zod';
import { callbackOf, connectorBase, templateOf } from '../management/connector-base.js';
import { ZEGO_PLACE_VARIABLES } from './places.js';

const template = templateOf(ZEGO_PLACE_VARIABLES);

export const zegoConnectorBody = z.strictObject({
  vendor: z.literal('zegocloud'),
  ...connectorBase,
  actorTemplate: template.default('{UserId}'),
  sessionTemplate: template.default('{AgentInstanceId}'),
});

export const zegoCallback = route({
  ...callbackOf('/connectors/zego/{connectorId}'),
  id: 'receiveZegoCallback',
  summary: 'Receive a callback from ZEGOCLOUD. The signature is the credential; it is valid once, for 10 minutes.',
  refusals: ['connector.not_found', 'connector.signature_invalid', 'connector.signature_stale'],
});
