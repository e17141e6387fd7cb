// The other side: Fastify alone, validating the same body with the same schema, and doing nothing.
// Usage: node bare-route.mjs PORT
import { oneEventBody, parseOrRefuse } from '@turnkeeper/contracts';
import Fastify from 'fastify';

const server = Fastify();
server.get('/readyz', () => ({ status: 'ready' }));
server.post('/memory/memories/:memoryId/actors/:actorId/sessions/:sessionId/events', (request, reply) => {
  parseOrRefuse('event', oneEventBody, request.body);
  reply.code(201).send({
    eventId: '019aa3c5-7d11-7c9a-a0b1-6f2b4f4c2d11',
    sequence: 1,
    position: 1,
    recordedAt: '2026-01-01T00:00:00.000Z',
  });
});
await server.listen({ host: '127.0.0.1', port: Number(process.argv[2]) });
