import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { portOf } from '../shared/ports.mjs';

/** No answer. */
const HANG = 0;
const FAILURES = [500, 503, HANG, 429, 302];

/**
 * A business server that receives history webhooks.
 *
 * @typedef {{ id: string, digest: string, contents: string[] }} Body `id` of the message, which attempts share
 */
export const startHistories = async () => {
  /** In the order of their arrival, by `format agentId`. @type {Map<string, Body[]>} */
  const bodies = new Map();
  const take = (raw, headers) => {
    const message = JSON.parse(raw);
    if (message.type === 'agent.history')
      note('standard', headers['webhook-id'], message.data.agentId, message.data, raw);
    if (message.eventType === 103) note('agora', message.noticeId, message.payload.agent_id, message.payload, raw);
  };
  const note = (format, id, agentId, { contents }, raw) => {
    const key = `${format} ${agentId}`;
    const body = {
      id: String(id),
      digest: createHash('sha256').update(raw).digest('hex'),
      contents: contents.map(({ content }) => content),
    };
    bodies.set(key, [...(bodies.get(key) ?? []), body]);
  };

  const state = { isFailing: false };
  let received = 0;

  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      take(Buffer.concat(chunks).toString('utf8'), request.headers);
      const status = state.isFailing ? FAILURES[received++ % FAILURES.length] : 204;
      if (status !== HANG) response.writeHead(status ?? 500).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    /** Answers with errors, or not at all. @param {boolean} isFailing */
    fail: (isFailing) => {
      state.isFailing = isFailing;
    },
    url: `http://127.0.0.1:${portOf(server)}/`,
    /** How many agents' histories have come, in each format. */
    count: () => bodies.size,
    /** @type {(format: 'standard' | 'agora', agentId: string) => readonly Body[]} */
    bodiesOf: (format, agentId) => bodies.get(`${format} ${agentId}`) ?? [],
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
