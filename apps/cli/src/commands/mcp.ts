import { parseArgs } from 'node:util';
import { createMemoryServer, type SendRequest } from '@turnkeeper/mcp';
import { serveStdio } from '@turnkeeper/mcp/stdio';
import { UsageError } from '../usage.js';
import { VERSION } from '../version.js';
import { serverAddress } from './server.js';

/**
 * Serves MCP on standard input and output, as a client of ingest: it needs a URL and a key, and no database. Ends when
 * the input ends.
 */
export const mcp = async (args: readonly string[]): Promise<void> => {
  const { values } = parseArgs({
    args: [...args],
    options: { memory: { type: 'string' }, actor: { type: 'string' }, url: { type: 'string' } },
  });
  const { memory: memoryId, actor: actorId } = values;
  if (memoryId === undefined) throw new UsageError('--memory is required.');
  const { baseUrl, apiKey } = serverAddress(values.url);
  const send = senderTo(baseUrl.replace(/\/$/, ''), apiKey);
  const scope = { memoryId, ...(actorId === undefined ? {} : { actorId }) };
  // Standard output belongs to the protocol.
  serveStdio(() => createMemoryServer(send, scope, VERSION), {
    onerror: (error) => process.stderr.write(`${error.message}\n`),
  });
};

/** How long a request may take, in milliseconds. */
const TIMEOUT_MS = 60_000;

const senderTo =
  (url: string, apiKey: string): SendRequest =>
  async ({ method, url: path, body, headers }) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
  };
