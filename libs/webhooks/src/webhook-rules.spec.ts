import { describe, expect, it } from 'vitest';
import { signAgora, verifyAgora } from '@turnkeeper/vendors';
import { deliveryHeaders } from './delivery-headers.js';
import { listen } from './testing/listener.js';
import { createWebhookRules } from './webhook-rules.js';
import { createWebhookTransport } from './webhook-transport.js';

const refusal = (code: string) => expect.objectContaining({ code });

describe('createWebhookRules', () => {
  const rules = createWebhookRules({});

  it('generates valid secrets for each format', () => {
    for (const format of ['standard', 'agora'] as const) rules.assertSecret(format, rules.newSecret(format));
  });

  it('rejects a secret that the format does not support', () => {
    expect(() => rules.assertSecret('standard', 'k3y')).toThrow(refusal('webhook.secret_refused'));
    expect(() => rules.assertSecret('agora', 'two words')).toThrow(refusal('webhook.secret_refused'));
    rules.assertSecret('agora', 'k3y');
  });

  it("allows the same URLs as the sender's policy", () => {
    const local = 'http://127.0.0.1:9999/';
    expect(() => rules.acceptUrl(local)).toThrow(refusal('webhook.url_refused'));
    expect(createWebhookRules({ allowPrivate: true, allowHttp: true }).acceptUrl(local)).toBe(local);
  });
});

describe('createWebhookTransport', () => {
  it('signs the exact bytes of each attempt', async () => {
    const { port, received, close } = await listen();
    const transport = createWebhookTransport({ allowPrivate: true, allowHttp: true });
    const body = new TextEncoder().encode('{"noticeId":"n-1"}');
    const message = { url: `http://127.0.0.1:${port}/`, messageId: 'n-1', body, at: new Date(), attempt: 1 };
    const signal = new AbortController().signal;
    await transport.attempt({ ...message, format: 'agora', secrets: ['k3y'] }, signal);
    const outcome = await transport.attempt(
      { ...message, format: 'agora', secrets: ['new', 'k3y'], attempt: 2 },
      signal,
    );
    expect(outcome).toMatchObject({ kind: 'response', status: 204 });
    for (const { headers, body: bytes } of received) {
      const signature = String(headers['agora-signature']);
      const signatureV2 = String(headers['agora-signature-v2']);
      expect(verifyAgora(['k3y'], bytes, { signature, signatureV2 })).toBe(true);
    }
    expect(received).toHaveLength(2);
    await transport.close();
    await close();
  });
});

describe("signatures in Agora's format", () => {
  it('alternate during a rotation, so that one of two attempts matches either secret', () => {
    const headers = (attempt?: number) =>
      deliveryHeaders({
        format: 'agora',
        id: 'n-1',
        timestamp: new Date(0),
        body: '{}',
        secrets: ['new', 'old'],
        ...(attempt === undefined ? {} : { attempt }),
      });
    expect(headers()['agora-signature-v2']).toBe(signAgora('new', '{}').signatureV2);
    expect(headers(1)).toEqual(headers());
    expect(headers(2)['agora-signature']).toBe(signAgora('old', '{}').signature);
    expect(headers(3)).toEqual(headers(1));
    expect(() => deliveryHeaders({ format: 'agora', id: '', timestamp: new Date(0), body: '', secrets: [] })).toThrow();
  });
});
