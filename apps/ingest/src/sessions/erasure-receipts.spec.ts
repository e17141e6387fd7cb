import { sumOfOutcomes, type ErasureOutcome } from '@turnkeeper/domain';
import { compactVerify, createLocalJWKSet, importJWK } from 'jose';
import { expect, it } from 'vitest';
import { digestOf, ErasureReceipts } from './erasure-receipts.js';

const now = new Date('2026-01-01T00:00:00.000Z');
const subject = { tenantId: 't', memoryId: 'm', actorId: 'ann', sessionId: null };
const outcome: ErasureOutcome = {
  erased: { ...sumOfOutcomes([]).erased, sessions: 2, events: 7, records: 1 },
  left: { withOtherSources: 1, inNamedNamespaces: 2, namespaces: ['/notes/ann'] },
};
const keys = { erased: 1, left: 2 };
const receipts = new ErasureReceipts(async () => 'a key', { now: () => now }, 30);

it('states what was deleted, what remains, why and until when', async () => {
  const { receipt } = await receipts.receiptOf(subject, { outcomes: [outcome, outcome], keys });
  expect(receipt).toMatchObject({
    erasedAt: now.toISOString(),
    memories: 2,
    erased: { sessions: 4, events: 14, apiKeys: 1 },
  });
  expect(receipt.remains.map(({ what, until }) => [what, until])).toEqual([
    ['records', null],
    ['records', null],
    ['API keys', null],
    ['tombstones', null],
    ['database files and write-ahead log', null],
    ['backups', '2026-01-31T00:00:00.000Z'],
  ]);
  expect(receipt.remains[1]).toMatchObject({ count: 4, namespaces: ['/notes/ann', '/notes/ann'] });
  expect(receipt.remains[2]).toMatchObject({ count: 2 });
});

it('identifies its subject by a digest that can be computed from the ids', async () => {
  const { receipt } = await receipts.receiptOf(subject, { outcomes: [outcome], keys });
  expect(receipt.subjectDigest).toBe(digestOf(subject));
  expect(receipt.subjectDigest).not.toBe(digestOf({ ...subject, actorId: 'bob' }));
  expect(JSON.stringify({ ...receipt, remains: [] })).not.toContain('ann');
});

it('is signed, and a changed one fails verification', async () => {
  const { receipt, signature } = await receipts.receiptOf(subject, { outcomes: [outcome], keys });
  const key = await importJWK(signature.publicKey, 'EdDSA');
  const { payload } = await compactVerify(signature.jws, key);
  expect(JSON.parse(new TextDecoder().decode(payload))).toEqual(receipt);
  const [header, , proof] = signature.jws.split('.');
  const forged = Buffer.from(JSON.stringify({ ...receipt, memories: 9 })).toString('base64url');
  await expect(compactVerify(`${header}.${forged}.${proof}`, key)).rejects.toThrow();
});

it('verifies with a published key, which is constant per installation', async () => {
  const { receipt, signature } = await receipts.receiptOf(subject, { outcomes: [outcome], keys });
  const published = await receipts.publicKeys();
  const { payload } = await compactVerify(signature.jws, createLocalJWKSet(published));
  expect(JSON.parse(new TextDecoder().decode(payload))).toEqual(receipt);
  const clock = { now: () => now };
  expect(await new ErasureReceipts(async () => 'a key', clock, null).publicKeys()).toEqual(published);
  const stranger = await new ErasureReceipts(async () => 'another key', clock, null).receiptOf(subject, {
    outcomes: [outcome],
    keys,
  });
  await expect(compactVerify(stranger.signature.jws, createLocalJWKSet(published))).rejects.toThrow();
});
