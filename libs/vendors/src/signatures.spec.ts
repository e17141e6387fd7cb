import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { assertAgoraSecret, generateAgoraSecret, signAgora, verifyAgora } from './agora/signature.js';
import { verifyLivekitToken } from './livekit/signature.js';
import { signZegoCallback, signZegoRequest, verifyZegoCallback, verifyZegoRequest } from './zegocloud/signature.js';

const agoraVectors = [
  {
    secret: 'k3y',
    body: '{"noticeId":"n-1","productId":17,"eventType":103,"notifyMs":1700000000123,"sid":"s-1","payload":{"agent_id":"a-1"}}',
    signature: 'dc21f3d85994d9cbc2e443f8b489819aa62b983c',
    signatureV2: '6ebfd95989bf1ef3911669e940f068bd84b6069326751124a3e2ce75fac33eb1',
  },
  {
    // Both digests are in Agora's own sample code.
    secret: 'secret',
    body: '{"eventMs":1560408533119,"eventType":10,"noticeId":"4eb720f0-8da7-11e9-a43e-53f411c2761f","notifyMs":1560408533119,"payload":{"a":"1","b":2},"productId":1}',
    signature: '033c62f40f687675f17f0f41f91a40c71c0f134c',
    signatureV2: '6d3320c60b11101395b7fc8f9068748808a0aa1bfa064438e39d1bc2c7d74d99',
  },
] as const;

describe.each(agoraVectors)(
  "Agora's signatures with the secret $secret",
  ({ secret, body, signature, signatureV2 }) => {
    it('match the test vector', () => {
      expect(signAgora(secret, body)).toEqual({ signature, signatureV2 });
      expect(signAgora(secret, Buffer.from(body))).toEqual({ signature, signatureV2 });
    });

    it('are accepted together or alone, in either case', () => {
      expect(verifyAgora([secret], Buffer.from(body), { signature, signatureV2 })).toBe(true);
      expect(verifyAgora([secret], body, { signature })).toBe(true);
      expect(verifyAgora([secret], body, { signatureV2: signatureV2.toUpperCase() })).toBe(true);
      expect(verifyAgora(['other', secret], body, { signature, signatureV2 })).toBe(true);
    });

    it.each([
      ['another body', `${body} `, { signature, signatureV2 }],
      ['no signature', body, {}],
      ['one right, one wrong', body, { signature, signatureV2: signatureV2.replace('6', '7') }],
      ['one wrong, one right', body, { signature: signature.replace('3', '4'), signatureV2 }],
      ['too short', body, { signature: signature.slice(2) }],
      ['not hex', body, { signature: 'z'.repeat(40) }],
      ['hex with a tail', body, { signature: `${signature}zz` }],
      ['empty', body, { signature: '' }],
      ['the other algorithm', body, { signature: signatureV2 }],
    ])('are rejected: %s', (_, given, signatures) => {
      expect(verifyAgora([secret], given, signatures)).toBe(false);
    });
  },
);

describe("Agora's secrets", () => {
  it('must not be missing or empty', () => {
    const signatures = signAgora('', 'x');
    expect(verifyAgora([], 'x', signatures)).toBe(false);
    expect(verifyAgora([''], 'x', signatures)).toBe(false);
  });

  it('may be any printable text', () => {
    assertAgoraSecret('k3y');
    assertAgoraSecret(generateAgoraSecret());
    for (const bad of ['', 'a b', 'ü', 'x'.repeat(256)]) expect(() => assertAgoraSecret(bad)).toThrow();
  });
});

describe("ZEGOCLOUD's request signature", () => {
  it('matches the test vector', () => {
    const signature = signZegoRequest({
      appId: 12345,
      nonce: '4fd24687296dd9f3',
      serverSecret: '9193cc662a4c0ec135ec71fb57194b38',
      timestampSeconds: 1615186943,
    });
    expect(signature).toBe('43e5cfcca828314675f91b001390566a');
  });

  const request = {
    appId: 12345,
    nonce: '4fd24687296dd9f3',
    serverSecret: '9193cc662a4c0ec135ec71fb57194b38',
    timestampSeconds: 1615186943,
    signature: '43e5cfcca828314675f91b001390566a',
  };
  const after = (minutes: number) => new Date(1615186943_000 + minutes * 60_000);

  it('is accepted up to ten minutes before and after its timestamp', () => {
    for (const minutes of [0, 10, -10]) expect(verifyZegoRequest(request, after(minutes))).toBe('valid');
    for (const minutes of [11, -11]) expect(verifyZegoRequest(request, after(minutes))).toBe('stale');
  });

  it.each([
    ['another app', { appId: 12346 }],
    ['another nonce', { nonce: '4fd24687296dd9f4' }],
    ['another secret', { serverSecret: 'x' }],
    ['another stamp', { timestampSeconds: 1615186944 }],
    ['another signature', { signature: '43e5cfcca828314675f91b001390566b' }],
    ['junk', { signature: '' }],
  ])('is rejected as invalid with %s, even if it is stale', (_, change) => {
    expect(verifyZegoRequest({ ...request, ...change }, after(0))).toBe('invalid');
    expect(verifyZegoRequest({ ...request, ...change }, after(99))).toBe('invalid');
  });
});

describe("ZEGOCLOUD's callback signature", () => {
  const stamp = { nonce: '123412', timestamp: 1470820198, signature: '5bd59fd62953a8059fb7eaba95720f66d19e4517' };
  const at = new Date(1470820198_000);
  const minutes = (n: number) => new Date(at.getTime() + n * 60_000);

  it('matches the test vector', () => expect(signZegoCallback('secret', stamp)).toBe(stamp.signature));

  const signed = (nonce: string, timestamp: number | string) => {
    const parts = { nonce, timestamp };
    return { ...parts, signature: signZegoCallback('secret', parts) };
  };

  it('is accepted within ten minutes, with a timestamp in milliseconds', () => {
    const fresh = signed('1', at.getTime());
    for (const now of [at, minutes(10), minutes(-10)]) {
      expect(verifyZegoCallback(['other', 'secret'], fresh, now)).toBe('valid');
      expect(verifyZegoCallback(['secret'], { ...fresh, timestamp: String(fresh.timestamp) }, now)).toBe('valid');
    }
  });

  it('is stale after ten minutes, or if the timestamp is not in milliseconds', () => {
    const fresh = signed('1', at.getTime());
    expect(verifyZegoCallback(['secret'], fresh, minutes(11))).toBe('stale');
    expect(verifyZegoCallback(['secret'], fresh, minutes(-11))).toBe('stale');
    for (const odd of ['soon', '1470820198', ` ${at.getTime()}`, `${at.getTime()}.0`, '1.470820198e12']) {
      expect(verifyZegoCallback(['secret'], signed('1', odd), at)).toBe('stale');
    }
  });

  it('cannot be reused with digits moved between timestamp and nonce', () => {
    const fresh = signed('999', at.getTime());
    const moved = {
      ...fresh,
      timestamp: String(fresh.timestamp).slice(0, 10),
      nonce: `${String(fresh.timestamp).slice(10)}999`,
    };
    expect(verifyZegoCallback(['secret'], moved, at)).not.toBe('valid');
  });

  it.each([
    ['another secret', ['other'], stamp],
    ['no secret', [''], { ...stamp, signature: signZegoCallback('', stamp) }],
    ['another nonce', ['secret'], { ...stamp, nonce: '123413' }],
    ['no signature', ['secret'], { ...stamp, signature: undefined }],
    ['junk', ['secret'], { ...stamp, signature: `${stamp.signature.slice(0, 38)}zz` }],
  ])('is rejected: %s', (_, secrets, given) => expect(verifyZegoCallback(secrets, given, at)).toBe('invalid'));
});

describe("LiveKit's tokens", () => {
  const raw = new TextEncoder().encode(
    '{"event":"participant_left","room":{"sid":"RM_a1","name":"room-9"},"participant":{"identity":"linh"},"id":"EV_1"}',
  );
  // Made with Python's hmac and hashlib: issued at the start of 2026, for five minutes.
  const token =
    'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJBUElrZXkxIiwibmJmIjoxNzY3MjI1NjAwLCJleHAiOjE3NjcyMjU5MDAsInNoYTI1NiI6Ikd4NVBOc2M3UzZaSmQ4akpyNko2NlkyS28zRzlMUktYRFRlamJDUnlEcjQ9In0.JXlnSxdjvRYqYbTY7XAhvC-xLCeQwJ2n5li9OyQUjLo';
  const at = (seconds: number): Date => new Date((1_767_225_600 + seconds) * 1_000);
  const [header = '', claims = '', signature = ''] = token.split('.');
  const signed = (parts: readonly object[], secret = 'livekit-secret'): string => {
    const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
  };

  it('match the test vector, with any of the secrets', () => {
    expect(verifyLivekitToken(['', 'other', 'livekit-secret'], token, raw, at(1))).toBe('valid');
  });

  it('are valid in their time, with a minute of tolerance', () => {
    const verdicts = [-61, -59, 359, 361].map((seconds) =>
      verifyLivekitToken(['livekit-secret'], token, raw, at(seconds)),
    );
    expect(verdicts).toEqual(['stale', 'valid', 'valid', 'stale']);
    const endless = signed([
      { alg: 'HS256' },
      { sha256: JSON.parse(Buffer.from(claims, 'base64url').toString()).sha256 },
    ]);
    expect(verifyLivekitToken(['livekit-secret'], endless, raw, at(1))).toBe('stale');
  });

  it.each([
    ['another body', token, 'x'],
    ['another secret', signed([{ alg: 'HS256' }, { exp: 2_000_000_000 }], 'another')],
    [
      'no hash, as a token to join a room',
      signed([{ alg: 'HS256' }, { exp: 2_000_000_000, video: { roomJoin: true } }]),
    ],
    ['no algorithm', signed([{ alg: 'none' }, JSON.parse(Buffer.from(claims, 'base64url').toString()) as object])],
    ['no signature', `${header}.${claims}.`],
    ['another signature', `${header}.${claims}.${signature.replace(/./, (first) => (first === 'A' ? 'B' : 'A'))}`],
    ['no token', ''],
    ['no JSON', signed([]).replace(/^/, 'e30.')],
  ])('are rejected: %s', (_, given, body?: string) => {
    const bytes = body === undefined ? raw : new TextEncoder().encode(body);
    expect(verifyLivekitToken(['', 'livekit-secret'], given, bytes, at(1))).toBe('invalid');
  });
});
