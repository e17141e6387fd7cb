import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDataSource } from './database.js';

/** A Postgres protocol message: type byte, length, body. */
const message = (letter: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5);
  head.write(letter);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
const authenticated = message('R', Buffer.alloc(4));
const ready = message('Z', Buffer.from('I'));
const shuttingDown = message('E', Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0'));

describe('a server that shuts down while a client connects', () => {
  // Sends both messages in one chunk, so that the connection breaks before a listener can be added.
  const server = createServer((socket) => {
    socket.once('data', () => socket.end(Buffer.concat([authenticated, ready, shuttingDown])));
    socket.on('error', () => undefined);
  });
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => server.close());

  it('fails the attempt without crashing the process', async () => {
    const { port } = server.address() as AddressInfo;
    const dataSource = createDataSource({ url: `postgres://nobody@127.0.0.1:${port}/none`, poolSize: 2 });
    await expect(dataSource.initialize()).rejects.toThrow(/connection/i);
  });
});
