import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { verifyAgoraWebhook, verifyWebhook } from './verify.js';

const secret = `whsec_${Buffer.from('a secret of 24 bytes, or more').toString('base64')}`;
const other = `whsec_${Buffer.from('another secret of 24 bytes..').toString('base64')}`;
const body = JSON.stringify({ id: 'msg_1', type: 'agent.history', timestamp: 't', data: { name: 'Đạt' } });

/** Signed by the published library, as a server would. */
const headersOf = (at = new Date(), text = body, key = secret) => ({
  'Webhook-Id': 'msg_1',
  'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
  'webhook-signature': new Webhook(key).sign('msg_1', at, text),
});

describe('a webhook in the standard format', () => {
  it.each([
    ['text and plain headers', { headers: headersOf(), body, secret }],
    ['bytes and Headers', { headers: new Headers(headersOf()), body: new TextEncoder().encode(body), secret }],
    ['a rotated secret', { headers: headersOf(), body, secret: [other, secret] }],
    [
      'signatures of two secrets',
      {
        headers: {
          ...headersOf(),
          'webhook-signature': `v2,x ${headersOf(new Date(), body, other)['webhook-signature']} ${headersOf()['webhook-signature']}`,
        },
        body,
        secret,
      },
    ],
  ])('is read with %s', async (_, request) => {
    expect(await verifyWebhook(request)).toEqual(JSON.parse(body));
  });

  it.each([
    ['signature_invalid', { headers: headersOf(), body: body.replace('1', '2'), secret }],
    ['signature_invalid', { headers: { ...headersOf(), 'Webhook-Id': 'msg_2' }, body, secret }],
    ['signature_invalid', { headers: headersOf(), body, secret: other }],
    ['signature_invalid', { headers: headersOf(), body, secret: [] }],
    ['headers_missing', { headers: {}, body, secret }],
    ['too_old_or_new', { headers: headersOf(new Date(Date.now() - 301_000)), body, secret }],
    ['too_old_or_new', { headers: headersOf(new Date(Date.now() + 302_000)), body, secret }],
    ['too_old_or_new', { headers: { ...headersOf(), 'webhook-timestamp': 'soon' }, body, secret }],
    ['not_json', { headers: headersOf(new Date(), 'hello'), body: 'hello', secret }],
  ])('is refused: %s', async (fault, request) => {
    await expect(verifyWebhook(request)).rejects.toMatchObject({ name: 'WebhookVerificationError', fault });
  });

  it('cannot be verified with something that is not a secret', async () => {
    await expect(verifyWebhook({ headers: headersOf(), body, secret: 'whsec_%%%' })).rejects.toThrow(TypeError);
    await expect(verifyWebhook({ headers: headersOf(), body, secret: '' })).rejects.toThrow();
  });
});

describe('a webhook in the format of Agora', () => {
  const key = 'agora-secret';
  const hmac = (algorithm: string, with_ = key) => createHmac(algorithm, with_).update(body).digest('hex');
  const both = { 'agora-signature': hmac('sha1'), 'Agora-Signature-V2': hmac('sha256') };

  it.each([
    ['both signatures', both],
    ['the first alone', { 'Agora-Signature': hmac('sha1') }],
    ['the second alone', { 'agora-signature-v2': hmac('sha256') }],
  ])('is read with %s', async (_, headers) => {
    expect(await verifyAgoraWebhook({ headers, body, secret: ['old', key] })).toEqual(JSON.parse(body));
  });

  it.each([
    ['headers_missing', {}],
    ['signature_invalid', { ...both, 'agora-signature': hmac('sha1', 'wrong') }],
    ['signature_invalid', { ...both, 'Agora-Signature-V2': hmac('sha256', 'wrong') }],
    ['signature_invalid', { 'agora-signature': 'zz' }],
    ['signature_invalid', { 'agora-signature': '', 'agora-signature-v2': 'abc' }],
  ])('is refused: %s', async (fault, headers) => {
    await expect(verifyAgoraWebhook({ headers, body, secret: key })).rejects.toMatchObject({ fault });
  });

  it('is refused without a secret', async () => {
    const headers = { 'agora-signature': createHmac('sha1', '').update(body).digest('hex') };
    await expect(verifyAgoraWebhook({ headers, body, secret: '' })).rejects.toMatchObject({
      fault: 'signature_invalid',
    });
  });
});
