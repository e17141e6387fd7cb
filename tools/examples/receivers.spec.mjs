import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it } from 'vitest';
import { createApp as createExpress } from '../../examples/voice-webhook-receiver/express.mjs';
import { createApp as createFastify } from '../../examples/voice-webhook-receiver/fastify.mjs';
import { createApp as createNest } from '../../examples/voice-webhook-receiver/nest.ts';

const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
const contents = [{ role: 'user', content: 'Xin chào' }];
const BODY = JSON.stringify({ id: 'msg_1', type: 'agent.history', timestamp: 't', data: { contents } }, null, 2);
const NOTICE = JSON.stringify({ noticeId: 'n1', productId: 17, eventType: 103, notifyMs: 1, payload: { contents } });

const signed = (id = 'msg_1', body = BODY, at = new Date()) => ({
  'content-type': 'application/json',
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  'webhook-signature': new Webhook(SECRET).sign(id, at, body),
});

let close;
afterEach(() => close());

const APPS = {
  fastify: async (options) => {
    const app = createFastify(options);
    close = () => app.close();
    return app.listen({ port: 0, host: '127.0.0.1' });
  },
  nest: async (options) => {
    const app = await createNest(options);
    close = () => app.close();
    await app.listen(0, '127.0.0.1');
    return app.getUrl();
  },
  express: async (options) => {
    const server = createExpress(options).listen(0, '127.0.0.1');
    close = () => new Promise((resolve) => server.close(resolve).closeAllConnections());
    await once(server, 'listening');
    return `http://127.0.0.1:${server.address().port}`;
  },
};

describe.each(Object.keys(APPS))('the webhook receiver with %s', (name) => {
  it('takes each signed message once, in both formats, and refuses others', async () => {
    const histories = [];
    let fails = true;
    const url = await APPS[name]({
      secret: SECRET,
      agoraSecret: 'agora-secret',
      onHistory: async (history) => {
        if (fails) throw new Error('the database is away');
        histories.push(history);
      },
    });
    const post = async (headers, body = BODY) => (await fetch(url, { method: 'POST', headers, body })).status;
    expect(await post(signed())).toBe(500);
    fails = false;
    expect([await post(signed()), await post(signed())]).toEqual([204, 204]);
    expect(await post(signed(), BODY.replace('chào', 'xxx'))).toBe(401);
    expect(await post({ 'content-type': 'application/json' })).toBe(401);
    const signature = createHmac('sha256', 'agora-secret').update(NOTICE).digest('hex');
    expect(await post({ 'content-type': 'application/json', 'agora-signature-v2': signature }, NOTICE)).toBe(204);
    expect(histories).toEqual([
      { id: 'msg_1', contents },
      { id: 'n1', contents },
    ]);
  });
});
