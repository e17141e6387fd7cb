import { fastify } from 'fastify';
import { expect, it } from 'vitest';
import { locationOf, sendLocations } from './location.js';

it('is built from the path and the response, with ids encoded', () => {
  expect(locationOf('/v1/{memoryId}/things/{id}', { memoryId: 'm' }, { id: 'a/b', memoryId: 'other' })).toBe(
    '/v1/m/things/a%2Fb',
  );
});

it('is sent with what was created, and not with an error', async () => {
  const server = fastify();
  sendLocations(server);
  const config = { spec: { scope: null, location: '/things/{id}' } };
  server.post('/things', { config }, async () => ({ id: 7 }));
  server.post('/refused', { config }, (_, reply) => void reply.code(409).send({ code: 'thing.exists' }));
  server.post('/other', async () => ({ id: 7 }));
  const locations = await Promise.all(
    ['/things', '/refused', '/other'].map(
      async (url) => (await server.inject({ method: 'POST', url })).headers.location,
    ),
  );
  expect(locations).toEqual(['/things/7', undefined, undefined]);
  await server.close();
});
