import { eventually, ownNatsServer, type OwnServer } from '@turnkeeper/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NatsConnectionProvider } from './index.js';

describe('NATS_URL with two servers', () => {
  let servers: OwnServer[];
  let broker: NatsConnectionProvider | null = null;
  beforeEach(async () => {
    servers = await Promise.all([ownNatsServer(), ownNatsServer()]);
  });
  afterEach(async () => {
    await broker?.close();
    await Promise.all(servers.map((server) => server.dispose()));
  });

  it('connects while one of them is down, and fails over when the connected one dies', async () => {
    const [first, second] = servers as [OwnServer, OwnServer];
    await second.start();
    broker = new NatsConnectionProvider({ url: `${first.url}, ${second.url}`, name: 'test' });
    const connection = await broker.connection();
    expect(connection.getServer()).toBe(`127.0.0.1:${second.port}`);
    await first.start();
    await second.kill();
    await eventually(() => broker!.isConnected() && connection.getServer() === `127.0.0.1:${first.port}`, {
      withinMs: 20_000,
      what: 'the other server is used',
    });
    await connection.flush();
  });
});
