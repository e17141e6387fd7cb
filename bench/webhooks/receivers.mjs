import { once } from 'node:events';
import { createServer } from 'node:http';
import { portOf } from '../../tools/shared/ports.mjs';

/**
 * Customer endpoints on one origin, each with its own path. Hanging ones accept a webhook and never answer.
 *
 * @param {(name: string, agentId: string) => void} onWebhook
 */
export const startReceivers = async (onWebhook) => {
  const hanging = new Set();
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const name = request.url?.slice(1) ?? '';
      onWebhook(name, JSON.parse(Buffer.concat(chunks).toString('utf8')).data.agentId);
      if (!hanging.has(name)) response.writeHead(204).end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    urlOf: (name) => `http://127.0.0.1:${portOf(server)}/${name}`,
    hang: (name) => hanging.add(name),
    /** Closes all connections, including those of hanging endpoints. */
    release: () => server.closeAllConnections(),
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
