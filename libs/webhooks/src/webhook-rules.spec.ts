import { describe, expect, it } from 'vitest';
import { verifyAgora } from './agora-signature.js';
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
