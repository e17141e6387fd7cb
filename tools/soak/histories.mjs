import { once } from 'node:events';
import { createServer } from 'node:http';
import { portOf } from '../shared/ports.mjs';

/** A business server that receives history webhooks and stores the message contents per agent and format. */
export const startHistories = async () => {
  /** The contents of each delivered body, in order, by `format agentId`. @type {Map<string, string[][]>} */
  const bodies = new Map();
  const take = (body) => {
    const message = JSON.parse(body);
    if (message.type === 'agent.history') note('standard', message.data.agentId, message.data.contents);
    if (message.eventType === 103) note('agora', message.payload.agent_id, message.payload.contents);
  };
  const note = (format, agentId, messages) => {
    const key = `${format} ${agentId}`;
    bodies.set(key, [...(bodies.get(key) ?? []), messages.map(({ content }) => content)]);
  };
  const bodiesOf = (format, agentId) => bodies.get(`${format} ${agentId}`) ?? [];

  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      take(Buffer.concat(chunks).toString('utf8'));
      response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${portOf(server)}/`,
    /** How many agents' histories have come, in each format. */
    count: () => bodies.size,
    /**
     * What the newest delivery holds; undefined if none has come.
     *
     * @param {'standard' | 'agora'} format @returns {Set<string> | undefined}
     */
    of: (format, agentId) => {
      const body = bodiesOf(format, agentId).at(-1);
      return body && new Set(body);
    },
    /**
     * The contents of every delivery, in the order of its body.
     *
     * @type {(format: 'standard' | 'agora', agentId: string) => readonly (readonly string[])[]}
     */
    bodiesOf,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
