import type { VendorApp } from '@turnkeeper/application';
import { describe, expect, it } from 'vitest';
import { signZegoRequest } from '../signature.js';
import { ZegoGate } from './gate.js';

/** A test vector signed by ZEGOCLOUD's own code. */
const SECRET = '9193cc662a4c0ec135ec71fb57194b38';
const VECTOR = {
  Action: 'GetAgentInstanceMsgList',
  AppId: '12345',
  SignatureNonce: '4fd24687296dd9f3',
  Timestamp: '1615186943',
  Signature: '43e5cfcca828314675f91b001390566a',
  SignatureVersion: '2.0',
};
const AT = 1615186943_000;
const MINUTE = 60_000;

const app = (tenantId: string, secret: string | null): VendorApp => ({
  tenantId,
  vendor: 'zegocloud',
  appId: '12345',
  memoryId: 'm',
  secret,
  createdAt: '2026-01-01T00:00:00.000Z',
});
const gate = (registered: readonly VendorApp[], nowMs = AT, taken = new Set<string>()): ZegoGate =>
  new ZegoGate({
    vendorApps: {
      candidates: async (_: string, appId: string) => registered.filter((each) => each.appId === appId),
      takeSignature: async (_: VendorApp, signature: string) => taken.size < taken.add(signature).size,
    } as unknown as ConstructorParameters<typeof ZegoGate>[0]['vendorApps'],
    clock: { now: () => new Date(nowMs) },
  });
const admitted = (query: object, registered = [app('t', SECRET)], nowMs = AT) => gate(registered, nowMs).admit(query);

describe("authentication of ZEGOCLOUD's actions", () => {
  it('accepts the vector while it is fresh', async () => {
    const { action, app: sender } = await admitted(VECTOR);
    expect([action, sender.tenantId]).toEqual(['GetAgentInstanceMsgList', 't']);
    await expect(admitted(VECTOR, undefined, AT + 10 * MINUTE)).resolves.toBeDefined();
  });

  it('accepts it once', async () => {
    const once = gate([app('t', SECRET)]);
    await once.admit(VECTOR);
    await expect(once.admit(VECTOR)).rejects.toMatchObject({ zegoCode: 100000004 });
    await expect(once.admit({ ...VECTOR, Signature: VECTOR.Signature.toUpperCase() })).rejects.toBeDefined();
  });

  it('does not reveal to an unsigned caller whether an app is registered', async () => {
    const refusal = (appId: string) =>
      admitted({ ...VECTOR, AppId: appId, Signature: '0'.repeat(32) }).catch((error: unknown) => error);
    expect(await refusal('12345')).toEqual(await refusal('12346'));
  });

  it('rejects a stale vector with its code', async () => {
    for (const nowMs of [AT + 11 * MINUTE, AT - 11 * MINUTE]) {
      await expect(admitted(VECTOR, undefined, nowMs)).rejects.toMatchObject({ zegoCode: 100000004 });
    }
  });

  it.each([
    ['SignatureNonce', { SignatureNonce: '4fd24687296dd9f4' }],
    ['Timestamp', { Timestamp: '1615186944' }],
    ['Signature', { Signature: '43e5cfcca828314675f91b001390566b' }],
  ])('rejects another %s with the code of a wrong signature', async (_, change) => {
    await expect(admitted({ ...VECTOR, ...change })).rejects.toMatchObject({ zegoCode: 100000005 });
  });

  it('reports a wrong signature as such even if it is stale', async () => {
    const wrong = { ...VECTOR, Signature: '0'.repeat(32) };
    await expect(admitted(wrong, undefined, AT + 60 * MINUTE)).rejects.toMatchObject({ zegoCode: 100000005 });
  });

  it.each([
    ['AppId', '', 100000001],
    ['AppId', 'x1', 100000001],
    ['Timestamp', '', 100000002],
    ['Timestamp', 'now', 100000003],
    ['SignatureNonce', '', 100000008],
    ['Signature', '', 100000009],
    ['SignatureVersion', '', 100000013],
    ['SignatureVersion', '1.0', 100000014],
    ['Action', '', 100000006],
  ])('rejects %s "%s" with %i', async (field, value, zegoCode) => {
    await expect(admitted({ ...VECTOR, [field]: value })).rejects.toMatchObject({ zegoCode });
  });

  it('rejects an unregistered app', async () => {
    await expect(admitted({ ...VECTOR, AppId: '12346' })).rejects.toMatchObject({ zegoCode: 100000005 });
  });

  it('finds the tenant whose secret signed the request', async () => {
    const registered = [app('one', 'another secret'), app('two', null), app('three', SECRET)];
    expect((await admitted(VECTOR, registered)).app.tenantId).toBe('three');
    const signature = signZegoRequest({
      appId: 12345,
      nonce: 'n',
      serverSecret: 'another secret',
      timestampSeconds: AT / 1_000,
    });
    const query = { ...VECTOR, SignatureNonce: 'n', Signature: signature };
    expect((await admitted(query, registered)).app.tenantId).toBe('one');
  });

  it('does not accept an empty secret', async () => {
    const signature = signZegoRequest({ appId: 12345, nonce: 'n', serverSecret: '', timestampSeconds: AT / 1_000 });
    const query = { ...VECTOR, SignatureNonce: 'n', Signature: signature };
    await expect(admitted(query, [app('t', null)])).rejects.toMatchObject({ zegoCode: 100000005 });
  });
});
