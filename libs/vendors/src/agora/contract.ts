import { route } from '@turnkeeper/contracts';
import { z } from 'zod';
import { callbackOf, connectorBase, label } from '../management/connector-base.js';

export const agoraConnectorBody = z.strictObject({
  vendor: z.literal('agora'),
  ...connectorBase,
  /** Name of the agent label that holds the user's id. */
  actorLabel: label.default('user_id'),
  /** Name of the agent label that holds the session's id; if the label is absent, the channel is used. */
  sessionLabel: label.default('session_id'),
});

export const agoraCallback = route({
  ...callbackOf('/connectors/agora/{connectorId}'),
  id: 'receiveAgoraNotice',
  summary: 'Receive a notification from Agora. The signature over the raw body is the credential.',
  headers: {
    'Agora-Signature': z.string().optional().describe('HMAC-SHA1 over the raw body, hex.'),
    'Agora-Signature-V2': z.string().optional().describe('HMAC-SHA256 over the raw body, hex.'),
  },
  refusals: ['connector.not_found', 'connector.signature_invalid'],
});
