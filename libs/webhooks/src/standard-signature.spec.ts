import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deliveryHeaders } from './delivery-headers.js';
import { generateStandardSecret, parseStandardSecret, standardSignature } from './standard-signature.js';

const verifier = fileURLToPath(new URL('./testing/verify-standard.mjs', import.meta.url));
const officialVerdicts = (
  deliveries: readonly { secret: string; headers: Record<string, string>; body: Buffer | string }[],
): (true | string)[] => {
  const input = deliveries.map(({ body, ...rest }) => ({ ...rest, bodyBase64: Buffer.from(body).toString('base64') }));
  const run = spawnSync(process.execPath, [verifier], { input: JSON.stringify(input), encoding: 'utf8' });
  if (run.status !== 0) throw new Error(run.stderr);
  return JSON.parse(run.stdout);
};

const delivery = (body: Buffer | string, secrets: readonly string[], timestamp = new Date()) =>
  deliveryHeaders({ format: 'standard', id: 'msg_1', timestamp, body, secrets });

describe('a Standard Webhooks delivery', () => {
  it('is accepted by the official library in a separate process, for arbitrary content', () => {
    const deliveries = fc
      .sample(fc.tuple(fc.string({ unit: 'grapheme' }), fc.uint8Array({ minLength: 24, maxLength: 64 })), 200)
      .map(([text, key]) => {
        const secret = `whsec_${Buffer.from(key).toString('base64')}`;
        const body = JSON.stringify({ type: 'agent.history', data: { text } });
        return { secret, body, headers: delivery(body, [secret]) };
      });
    expect(officialVerdicts(deliveries)).toEqual(deliveries.map(() => true));
  });

  it('is accepted with the old and the new secret during a rotation, and with no other', () => {
    const [old, fresh, other] = [generateStandardSecret(), generateStandardSecret(), generateStandardSecret()];
    const body = '{"a":1}';
    const headers = delivery(body, [fresh, old]);
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
    expect(officialVerdicts([old, fresh, other].map((secret) => ({ secret, headers, body })))).toEqual([
      true,
      true,
      'No matching signature found',
    ]);
  });

  it('is rejected by the official library if it was changed or is too old', () => {
    const secret = generateStandardSecret();
    const old = delivery('{}', [secret], new Date(Date.now() - 3_600_000));
    expect(
      officialVerdicts([
        { secret, headers: delivery('{"a":1}', [secret]), body: '{"a":2}' },
        { secret, headers: { ...delivery('{}', [secret]), 'webhook-id': 'msg_2' }, body: '{}' },
        { secret, headers: old, body: '{}' },
      ]),
    ).toEqual(['No matching signature found', 'No matching signature found', 'Message timestamp too old']);
  });

  it('is signed again on each attempt with the same id and body', () => {
    const secret = generateStandardSecret();
    const first = delivery('{}', [secret], new Date(1_000_000));
    const later = delivery('{}', [secret], new Date(2_000_999));
    expect([first['webhook-id'], first['webhook-timestamp'], later['webhook-timestamp']]).toEqual([
      'msg_1',
      '1000',
      '2000',
    ]);
    expect(first['webhook-signature']).not.toBe(later['webhook-signature']);
  });

  it('matches the test vector of the official libraries', () => {
    const signature = standardSignature({
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestampSeconds: 1614265330,
      body: '{"test": 2432232314}',
      secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    });
    expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });
});

describe('a Standard Webhooks secret', () => {
  const whsec = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;

  it('has 32 random bytes', () => {
    expect(parseStandardSecret(generateStandardSecret())).toHaveLength(32);
    expect(generateStandardSecret()).not.toBe(generateStandardSecret());
  });

  it.each([24, 32, 64])('may have %d bytes', (bytes) => expect(parseStandardSecret(whsec(bytes))).toHaveLength(bytes));

  it.each([
    ['too short', whsec(23)],
    ['too long', whsec(65)],
    ['without its prefix', Buffer.alloc(32).toString('base64')],
    ['not base64', `whsec_${'!'.repeat(44)}`],
    ['with junk inside', `${whsec(24)} x`],
    ['empty', ''],
  ])('is rejected: %s', (_, secret) => {
    expect(() => parseStandardSecret(secret)).toThrow(expect.objectContaining({ code: 'webhook.secret_refused' }));
  });
});
