import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { choosePorts, portOf } from './ports.mjs';

const open = [];
const occupy = async (port = 0) => {
  const server = createServer();
  await once(server.listen(port, '127.0.0.1'), 'listening');
  open.push(server);
  return portOf(server);
};
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

describe('choosing ports', () => {
  it('gives every name its own port', async () => {
    const ports = await choosePorts(['a', 'b', 'c', 'd']);
    expect(new Set(Object.values(ports)).size).toBe(4);
  });

  it('avoids the ephemeral port range', async () => {
    const ports = await choosePorts(Array.from({ length: 20 }, (_, index) => `name ${index}`));
    for (const port of Object.values(ports)) expect(port).toBeLessThan(32_768);
  });

  it('gives the same ports again while they are free', async () => {
    const first = await choosePorts(['a', 'b']);
    expect(await choosePorts(['a', 'b'], first)).toEqual(first);
  });

  it('uses another port if the preferred one is taken', async () => {
    const taken = await occupy();
    const { a } = await choosePorts(['a'], { a: taken });
    expect(a).not.toBe(taken);
  });

  it('does not give one port to two names that wish for it', async () => {
    const { a: port } = await choosePorts(['a']);
    const { a, b } = await choosePorts(['a', 'b'], { a: port, b: port });
    expect(a).toBe(port);
    expect(b).not.toBe(port);
  });
});
