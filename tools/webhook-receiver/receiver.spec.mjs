import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it } from 'vitest';
import { startReceiver } from './main.mjs';

const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(24, 2).toString('base64')}`;
const BODY = JSON.stringify({ type: 'agent.history', data: { contents: [{ role: 'user', content: 'hi' }] } });

const cleanups = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});
const receiverWith = async (options) => {
  const receiver = await startReceiver(options);
  cleanups.push(receiver.close);
  return receiver;
};
/** @returns {RequestInit} */
const signed = (secret, id = 'msg_1', body = BODY, at = new Date()) => ({
  method: 'POST',
  redirect: 'manual',
  headers: {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  },
  body,
});
const control = (url, wish) => fetch(`${url}/control`, { method: 'POST', body: JSON.stringify(wish) });

describe('the webhook receiver', () => {
  it('shows only what came to a path', async () => {
    const { url } = await receiverWith({ secrets: [SECRET] });
    for (const path of ['/one', '/two']) await fetch(`${url}${path}`, signed(SECRET, `msg_${path}`));
    const shown = await (await fetch(`${url}/received?path=/two&wait=1`)).json();
    expect(shown).toMatchObject([{ id: 'msg_/two', path: '/two' }]);
    expect(shown).toHaveLength(1);
  });

  it('accepts a signed webhook and shows it', async () => {
    const { url, received } = await receiverWith({ secrets: [SECRET] });
    expect((await fetch(`${url}/hook`, signed(SECRET))).status).toBe(200);
    expect(received).toMatchObject([
      { id: 'msg_1', type: 'agent.history', attempt: 1, verified: true, answered: 200, path: '/hook' },
    ]);
    const shown = await (await fetch(`${url}/received`)).json();
    expect(shown[0].body).toEqual(JSON.parse(BODY));
    expect(shown[0].sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it('answers 401 to a wrong signature, a changed body and an old timestamp, with the reason', async () => {
    const { url, received } = await receiverWith({ secrets: [SECRET] });
    const hourAgo = new Date(Date.now() - 3_600_000);
    const tries = [signed(OTHER), { ...signed(SECRET), body: `${BODY} ` }, signed(SECRET, 'm', BODY, hourAgo)];
    for (const init of tries) expect((await fetch(url, init)).status).toBe(401);
    expect(received.map((entry) => [entry.verified, entry.problem])).toEqual([
      [false, 'No matching signature found'],
      [false, 'No matching signature found'],
      [false, 'Message timestamp too old'],
    ]);
  });

  it('accepts either secret during a rotation', async () => {
    const { url, setSecrets } = await receiverWith({ secrets: [OTHER, SECRET] });
    expect((await fetch(url, signed(SECRET))).status).toBe(200);
    expect((await fetch(url, signed(OTHER))).status).toBe(200);
    setSecrets([OTHER]);
    expect((await fetch(url, signed(SECRET))).status).toBe(401);
  });

  it("verifies both of Agora's signatures and parses Agora's envelope", async () => {
    const { url, received } = await receiverWith({ secrets: ['k3y'], format: 'agora' });
    const body = '{"noticeId":"n-1","productId":17,"eventType":103,"payload":{"contents":[]}}';
    const mac = (algorithm, key) => createHmac(algorithm, key).update(body).digest('hex');
    const post = (v1, v2) =>
      fetch(url, { method: 'POST', headers: { 'Agora-Signature': v1, 'Agora-Signature-V2': v2 }, body });
    expect((await post(mac('sha1', 'k3y'), mac('sha256', 'k3y'))).status).toBe(200);
    expect((await post(mac('sha1', 'k3y'), mac('sha256', 'no'))).status).toBe(401);
    expect((await post('', mac('sha256', 'k3y'))).status).toBe(401);
    expect(received[0]).toMatchObject({ id: 'n-1', type: '103', verified: true });
  });

  it.each([
    ['fail', 500],
    ['redirect', 302],
    ['gone', 410],
  ])('can be told to %s: %d', async (mode, status) => {
    const { url } = await receiverWith({ mode });
    expect((await fetch(url, signed(SECRET))).status).toBe(status);
  });

  it('can be told to hang', async () => {
    const { url, received } = await receiverWith({ mode: 'hang' });
    const attempt = fetch(url, { ...signed(SECRET), signal: AbortSignal.timeout(200) });
    await expect(attempt).rejects.toThrow();
    expect(received).toMatchObject([{ answered: null, verified: null }]);
  });

  it('is flaky by failing the first attempt of each id', async () => {
    const { url, received } = await receiverWith({ mode: 'flaky', secrets: [SECRET] });
    const statuses = [];
    for (const id of ['a', 'b', 'a', 'b']) statuses.push((await fetch(url, signed(SECRET, id))).status);
    expect(statuses).toEqual([503, 503, 200, 200]);
    expect(received.map((entry) => entry.attempt)).toEqual([1, 1, 2, 2]);
  });

  it('can change its mode, secrets and stored webhooks while it runs', async () => {
    const { url, received } = await receiverWith();
    expect((await control(url, { mode: 'gone', secrets: [SECRET] })).status).toBe(200);
    expect((await fetch(url, signed(SECRET))).status).toBe(410);
    expect((await fetch(url, signed(OTHER))).status).toBe(401);
    expect((await control(url, { mode: 'sulk' })).status).toBe(400);
    await control(url, { clear: true });
    expect(received).toEqual([]);
    await fetch(url, signed(SECRET));
    expect(received).toMatchObject([{ attempt: 1 }]);
  });

  it('rejects unknown options', async () => {
    await expect(startReceiver(JSON.parse('{"mode":"sulk"}'))).rejects.toThrow('mode must be one of');
    await expect(startReceiver(JSON.parse('{"format":"fax"}'))).rejects.toThrow('format must be one of');
    const { url } = await receiverWith();
    expect((await fetch(url)).status).toBe(405);
  });

  it('runs from the command line and prints a line per webhook', async () => {
    const main = fileURLToPath(new URL('./main.mjs', import.meta.url));
    const child = spawn(process.execPath, [main, '--port', '0', '--secret', SECRET]);
    const exited = new Promise((resolve) => child.once('exit', resolve));
    let output = '';
    const printed = (pattern) =>
      new Promise((resolve) => {
        const look = () => pattern.test(output) && resolve(output.match(pattern));
        child.stdout.on('data', look);
        look();
      });
    child.stdout.on('data', (chunk) => (output += chunk));
    const [url] = await printed(/http:\/\/127\.0\.0\.1:\d+/);
    await fetch(url, signed(SECRET));
    await printed(/agent\.history {2}msg_1 {2}signature ok, 1 messages {2}-> 200/);
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
  });
});
