import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { Transform } from 'node:stream';
import { portOf } from '../shared/ports.mjs';
import { sleep } from '../shared/wait.mjs';

/**
 * A loopback TCP proxy whose connections can be reset, delayed or silenced.
 *
 * @param {{ host: string, port: number }} target
 */
export const startProxy = async (target) => {
  /** Both ends of every open connection. @type {Set<import('node:net').Socket[]>} */
  const pairs = new Set();
  let silent = false;
  let delayMs = 0;

  const server = createServer((near) => {
    const far = connect(target);
    const pair = [near, far];
    pairs.add(pair);
    for (const [from, to] of [pair, [far, near]]) {
      const late = new Transform({
        transform: (chunk, _, pass) => void sleep(delayMs).then(() => pass(null, chunk)),
      });
      from.setNoDelay(true);
      from.on('error', () => {}); // 'close' follows, and ends the other side
      from.once('close', () => {
        pairs.delete(pair);
        to.destroy();
      });
      from.pipe(late).pipe(to);
    }
    if (silent) pair.forEach((socket) => socket.pause());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const eachEnd = (act) => pairs.forEach((pair) => pair.forEach(act));

  return {
    port: portOf(server),
    connections: () => pairs.size,
    /** Ends every connection with a TCP reset; new ones are accepted. */
    reset: () => eachEnd((socket) => socket.resetAndDestroy()),
    /** What arrives is held back for this long, in both directions. */
    delay: (ms) => (delayMs = ms),
    /** Nothing arrives on any connection, and none is closed: half-open. */
    silence: () => {
      silent = true;
      eachEnd((socket) => socket.pause());
    },
    restore: () => {
      [silent, delayMs] = [false, 0];
      eachEnd((socket) => socket.resume());
    },
    close: async () => {
      eachEnd((socket) => socket.destroy());
      server.close();
      await once(server, 'close');
    },
  };
};
