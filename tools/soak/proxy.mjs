import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { portOf } from '../shared/ports.mjs';

/**
 * A loopback TCP proxy whose connections can be cut or silenced.
 *
 * @param {{ host: string, port: number }} target
 */
export const startProxy = async (target) => {
  /** Both ends of every open connection. */
  const pairs = new Set();
  let silent = false;

  const server = createServer((near) => {
    const far = connect(target);
    const pair = [near, far];
    pairs.add(pair);
    for (const [from, to] of [pair, [far, near]]) {
      from.setNoDelay(true);
      from.on('error', () => {}); // 'close' follows, and ends the other side
      from.once('close', () => {
        pairs.delete(pair);
        to.destroy();
      });
      from.pipe(to);
    }
    if (silent) pair.forEach((socket) => socket.pause());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    port: portOf(server),
    /** Closes every connection; new ones are accepted. */
    cut: () => {
      for (const pair of pairs) pair.forEach((socket) => socket.destroy());
    },
    /** Nothing arrives on any connection, and none is closed: a silent network path. */
    silence: () => {
      silent = true;
      for (const pair of pairs) pair.forEach((socket) => socket.pause());
    },
    restore: () => {
      silent = false;
      for (const pair of pairs) pair.forEach((socket) => socket.resume());
    },
    close: async () => {
      for (const pair of pairs) pair.forEach((socket) => socket.destroy());
      server.close();
      await once(server, 'close');
    },
  };
};
