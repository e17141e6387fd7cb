import { createHash, createHmac, randomInt, randomUUID } from 'node:crypto';
import type { Answer, Api } from './api.js';

/** Agora's notification service: posts raw bytes with both signatures over them. */
export class AgoraSender {
  constructor(
    private readonly api: Api,
    private readonly connectorId: string,
    private readonly secret: string,
  ) {}

  /** @param headers replace the valid signatures */
  raw(body: string, headers?: Readonly<Record<string, string>>): Promise<Answer> {
    const sign = (algorithm: string): string => createHmac(algorithm, this.secret).update(body).digest('hex');
    return this.api.request('POST', `/connectors/agora/${this.connectorId}`, {
      raw: body,
      headers: headers ?? { 'agora-signature': sign('sha1'), 'agora-signature-v2': sign('sha256') },
    });
  }

  /** @param eventType 101 joined, 102 left, 103 history */
  notify(eventType: number, payload: Readonly<Record<string, unknown>>, noticeId: string = randomUUID()) {
    const notice = { noticeId, productId: 17, eventType, notifyMs: Date.now(), sid: 'sid', payload };
    // With spaces that parsing and re-serialising would lose.
    return this.raw(JSON.stringify(notice, null, 1));
  }
}

/** ZEGOCLOUD's callbacks: the signature is in the body and covers timestamp and nonce only. */
export class ZegoSender {
  private sequence = 0;

  constructor(
    private readonly api: Api,
    private readonly connectorId: string,
    private readonly secret: string,
  ) {}

  /** A callback signed now. */
  callback(instanceId: string, event: string, data: Readonly<Record<string, unknown>>) {
    this.sequence += randomInt(1, 4);
    return this.signed({
      AppId: 42,
      Event: event,
      AgentInstanceId: instanceId,
      RoomId: 'room-1',
      Sequence: this.sequence,
      Data: data,
    });
  }

  /** The same callback with a new timestamp, like a retry. */
  signed<Body extends object>(body: Body, nonce: string = randomUUID()) {
    const timestamp = Date.now();
    const signature = createHash('sha1')
      .update([this.secret, String(timestamp), nonce].sort().join(''))
      .digest('hex');
    return { ...body, Nonce: nonce, Timestamp: timestamp, Signature: signature };
  }

  send(body: object): Promise<Answer> {
    return this.api.request('POST', `/connectors/zego/${this.connectorId}`, { body });
  }
}

/** The query of a ZEGOCLOUD server API action, signed now (their reference, "Signature"). */
export const zegoQuery = (app: { readonly id: number; readonly secret: string }, action: string): URLSearchParams => {
  const nonce = randomUUID().slice(0, 16);
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = createHash('md5').update(`${app.id}${nonce}${app.secret}${timestamp}`).digest('hex');
  return new URLSearchParams({
    Action: action,
    AppId: String(app.id),
    SignatureNonce: nonce,
    Timestamp: timestamp,
    Signature: signature,
    SignatureVersion: '2.0',
  });
};
