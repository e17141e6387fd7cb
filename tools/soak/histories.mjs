import { once } from 'node:events';
import { createServer } from 'node:http';
import { portOf } from '../shared/ports.mjs';

/** A business server that receives history webhooks and stores the message contents per agent and format. */
export const startHistories = async () => {
  /** By `format agentId`. */
  const contents = new Map();
  const take = (body) => {
    const message = JSON.parse(body);
    if (message.type === 'agent.history') note('standard', message.data.agentId, message.data.contents);
    if (message.eventType === 103) note('agora', message.payload.agent_id, message.payload.contents);
  };
  const note = (format, agentId, messages) =>
    contents.set(`${format} ${agentId}`, new Set(messages.map(({ content }) => content)));

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
    count: () => contents.size,
    /** @param {'standard' | 'agora'} format @returns {Set<string> | undefined} */
    of: (format, agentId) => contents.get(`${format} ${agentId}`),
  };
};
