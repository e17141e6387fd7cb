import { verifyAgoraWebhook, verifyWebhook, WebhookVerificationError } from '@turnkeeper/client';

/**
 * Takes webhooks of both formats: checks the signature, drops what came before, and hands the rest on.
 *
 * @param {{ secret?: string | string[], agoraSecret?: string | string[],
 *   onHistory: (history: { id: string, contents: object[] }) => Promise<void> }} options
 *   `secret` is that of an endpoint with the format `standard`, `agoraSecret` with the format `agora`; `onHistory` is called once per message and may throw: then the message is sent again later.
 */
export const createReceiver = ({ secret = [], agoraSecret = [], onHistory }) => {
  // Use your database: a process forgets, and does not share what it knows.
  const seen = new Set();

  /**
   * @param {import('node:http').IncomingHttpHeaders} headers
   * @param {Uint8Array} body the raw body
   * @returns {Promise<number>} status of the response
   */
  return async (headers, body) => {
    const message = await read({ headers, body }, secret, agoraSecret);
    if (message === undefined) return 401;
    if (seen.has(message.id)) return 204;
    const { id, contents } = message;
    if (contents !== undefined) await onHistory({ id, contents });
    seen.add(message.id);
    return 204;
  };
};

/**
 * The id and, of a history, the contents; undefined if the signature is not valid.
 *
 * @returns {Promise<{ id: string, contents?: any } | undefined>}
 */
const read = async (request, secret, agoraSecret) => {
  try {
    if ('webhook-signature' in request.headers) {
      const { id, data } = await verifyWebhook({ ...request, secret });
      return { id, contents: data.contents };
    }
    const { noticeId, payload } = await verifyAgoraWebhook({ ...request, secret: agoraSecret });
    return { id: noticeId, contents: payload.contents };
  } catch (error) {
    if (error instanceof WebhookVerificationError) return undefined;
    throw error;
  }
};
