import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

export interface ToolResult {
  readonly isError?: boolean;
  readonly structuredContent?: Record<string, unknown>;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
}

/** What both generations of the official client offer. */
export interface McpClient {
  listTools(): Promise<{ tools: readonly { name: string; annotations?: object; outputSchema?: object }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  listResources(): Promise<{ resources: readonly { uri: string }[] }>;
  readResource(resource: { uri: string }): Promise<{ contents: readonly object[] }>;
  close(): Promise<void>;
}

const INFO = { name: 'test', version: '1' };
const headersOf = (apiKey: string) => ({ requestInit: { headers: { authorization: `Bearer ${apiKey}` } } });

/** A client of the revisions up to 2025-11-25. */
export const connectV1 = async (url: string, apiKey: string): Promise<McpClient> => {
  const client = new ClientV1(INFO);
  await client.connect(new TransportV1(new URL(url), headersOf(apiKey)) as Parameters<ClientV1['connect']>[0]);
  return client as unknown as McpClient;
};

/** A client of the revision 2026-07-28. */
export const connectV2 = async (url: string, apiKey: string): Promise<McpClient> => {
  const client = new ClientV2(INFO);
  await client.connect(new TransportV2(new URL(url), headersOf(apiKey)));
  return client as unknown as McpClient;
};

/** Calls a tool and returns what it reported. */
export const callTool = async (client: McpClient, name: string, args: object): Promise<ToolResult> =>
  (await client.callTool({ name, arguments: { ...args } })) as ToolResult;

/** Adds a key to every request, for clients that send none, and changes nothing else. */
export const startKeyProxy = async (target: string, apiKey: string) => {
  const { hostname, port } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${apiKey}` };
    const forward = httpRequest({ hostname, port, path: incoming.url, method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forward.on('error', () => outgoing.destroy());
    incoming.pipe(forward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    close: () => new Promise<void>((resolve) => void (server.closeAllConnections(), server.close(() => resolve()))),
  };
};
