import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Received } from './receiver.js';

const verifier = join(import.meta.dirname, 'verify-standard.mjs');

/** The published library's verdict on each webhook, from a separate process: true, or the reason for rejection. */
export const officialVerdicts = async (
  secret: string,
  webhooks: readonly Received[],
): Promise<readonly (true | string)[]> => {
  const child = spawn(process.execPath, [verifier], { stdio: ['pipe', 'pipe', 'inherit'] });
  const output = text(child.stdout);
  child.stdin.end(
    JSON.stringify(webhooks.map(({ headers, raw }) => ({ secret, headers, body: raw.toString('base64') }))),
  );
  return JSON.parse(await output) as (true | string)[];
};
