import type { VendorRequest } from '@turnkeeper/application';
import { ConnectorSignatureInvalid, ConnectorSignatureStale } from '@turnkeeper/domain';
import { authorizationOf, verifyForwarded } from '../forwarded/verify.js';
import { isBearerOf } from '../forwarded/signature.js';
import { forwardedBody, type ForwardedBody } from '../forwarded/shapes.js';
import { jsonOrUndefined } from '../shared/exact-json.js';
import { livekitWebhook } from './shapes.js';
import { verifyLivekitToken } from './signature.js';

const TOKEN = /^(?:Bearer )?([\w-]+\.[\w-]+\.[\w-]+)$/i;

/** Of a webhook that says nothing about a call. */
const NOTHING: ForwardedBody = { actor_id: '-', session_id: '-', events: [], ended: false };

/**
 * The agent's process sends the secret. LiveKit's server signs with it: its webhooks are about the call of the user whose id
 * is the participant's identity, in the session that is named like the room, with the id of the room.
 */
export const verifyLivekit = (
  request: VendorRequest,
  trust: { readonly secrets: readonly string[]; readonly now: Date },
): ForwardedBody => {
  const authorization = authorizationOf(request) ?? '';
  const [, token] = TOKEN.exec(authorization) ?? [];
  if (token === undefined || isBearerOf(trust.secrets, authorization)) {
    return verifyForwarded(forwardedBody)(request, trust);
  }
  const verdict = verifyLivekitToken(trust.secrets, token, request.raw, trust.now);
  if (verdict === 'invalid') throw new ConnectorSignatureInvalid();
  if (verdict === 'stale') throw new ConnectorSignatureStale();
  const webhook = livekitWebhook.safeParse(jsonOrUndefined(new TextDecoder().decode(request.raw)));
  if (!webhook.success) return NOTHING;
  const { id, event: type, room, participant } = webhook.data;
  const body = forwardedBody.safeParse({
    actor_id: participant.identity,
    session_id: room.name,
    call_id: room.sid,
    events: [{ type, event_id: id }],
  });
  return body.success ? body.data : NOTHING;
};
