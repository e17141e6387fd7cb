import { describe, expect, it } from 'vitest';
import { MAX_VALID_SECRETS, newSecret, rotateSecrets, validSecrets, type WebhookSecret } from './secrets.js';

const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000);
const names = (secrets: readonly WebhookSecret[], now: Date) => validSecrets(secrets, now).map(({ secret }) => secret);

describe('rotating a secret', () => {
  const first = [newSecret('one', at(0))];

  it('keeps both valid while they overlap, the new one first, then only the new one', () => {
    const both = rotateSecrets(first, 'two', { now: at(100), overlapSeconds: 60 });
    expect(names(both, at(100))).toEqual(['two', 'one']);
    expect(names(both, at(159.999))).toEqual(['two', 'one']);
    expect(names(both, at(160))).toEqual(['two']);
  });

  it('ends the old one immediately without an overlap', () => {
    expect(names(rotateSecrets(first, 'two', { now: at(1), overlapSeconds: 0 }), at(1))).toEqual(['two']);
  });

  it('never extends the validity of an old one', () => {
    const two = rotateSecrets(first, 'two', { now: at(0), overlapSeconds: 10 });
    const three = rotateSecrets(two, 'three', { now: at(5), overlapSeconds: 1_000 });
    expect(names(three, at(9))).toEqual(['three', 'two', 'one']);
    expect(names(three, at(10))).toEqual(['three', 'two']);
  });

  it('removes expired secrets', () => {
    const two = rotateSecrets(first, 'two', { now: at(0), overlapSeconds: 10 });
    expect(rotateSecrets(two, 'three', { now: at(11), overlapSeconds: 10 })).toHaveLength(2);
  });

  it('rejects more than can sign one message', () => {
    let secrets: readonly WebhookSecret[] = first;
    const rotate = () => rotateSecrets(secrets, 'next', { now: at(0), overlapSeconds: 10 });
    for (let count = 1; count < MAX_VALID_SECRETS; count += 1) secrets = rotate();
    expect(rotate).toThrow(expect.objectContaining({ code: 'webhook.too_many_secrets' }));
  });
});
