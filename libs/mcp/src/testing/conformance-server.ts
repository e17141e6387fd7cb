import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { completable, fromJsonSchema, McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { answerMcpRequest } from '../http-handler.js';
import { addInputTools, verify } from './input-tools.js';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==';
const text = (value: string) => ({ type: 'text' as const, text: value });
const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' };
const resource = (uri: string, mimeType: string, value: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: value },
});

const NO_NOTIFICATIONS = { listChanged: false };

/** The tools, prompts and resources that the protocol's conformance suite asks of a server. */
const createFixtures = (): McpServer => {
  const capabilities = {
    logging: {},
    completions: {},
    tools: NO_NOTIFICATIONS,
    prompts: NO_NOTIFICATIONS,
    resources: NO_NOTIFICATIONS,
  };
  const server = new McpServer({ name: 'fixtures', version: '1' }, { capabilities, requestState: { verify } });
  const tool = (name: string, content: object[]): void => {
    server.registerTool(name, { description: name }, () => ({ content }) as never);
  };
  tool('test_simple_text', [text('This is a simple text response for testing.')]);
  tool('test_image_content', [image]);
  tool('test_audio_content', [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }]);
  tool('test_embedded_resource', [
    resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ]);
  tool('test_multiple_content_types', [
    ...[text('Multiple content types test:'), image],
    resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ]);
  server.registerTool('test_error_handling', { description: 'Fails.' }, () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  server.registerTool(
    'json_schema_2020_12_tool',
    {
      description: 'Tool with JSON Schema 2020-12 features',
      inputSchema: fromJsonSchema({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        $defs: { address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } },
        properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
        additionalProperties: false,
      }),
    },
    () => ({ content: [] }),
  );
  addPrompts(server);
  addResources(server);
  addInputTools(server);
  return server;
};

const addPrompts = (server: McpServer): void => {
  const user = (content: object) => ({ role: 'user' as const, content }) as never;
  server.registerPrompt('test_simple_prompt', { description: 'simple' }, () => ({
    messages: [user(text('This is a simple prompt for testing.'))],
  }));
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'with arguments',
      argsSchema: z.object({ arg1: completable(z.string(), (value) => [`${value}1`]), arg2: z.string() }),
    },
    ({ arg1, arg2 }) => ({ messages: [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))] }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'with a resource', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => ({
      messages: [
        user(resource(resourceUri, 'text/plain', 'Embedded resource content for testing.')),
        user(text('Please process the embedded resource above.')),
      ],
    }),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'with an image' }, () => ({
    messages: [user(image), user(text('Please analyze the image above.'))],
  }));
};

const addResources = (server: McpServer): void => {
  server.registerResource('text', 'test://static-text', { mimeType: 'text/plain' }, ({ href: uri }) => ({
    contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
  }));
  server.registerResource('binary', 'test://static-binary', { mimeType: 'image/png' }, ({ href: uri }) => ({
    contents: [{ uri, mimeType: 'image/png', blob: PNG }],
  }));
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  server.registerResource('template', template, { mimeType: 'application/json' }, ({ href: uri }, { id }) => ({
    contents: [
      { uri, mimeType: 'application/json', text: `{"id":"${String(id)}","templateTest":true,"data":"Data for ID"}` },
    ],
  }));
};

/** Serves the fixtures through the transport of this library, as ingest does. */
export const startConformanceServer = async (): Promise<{ readonly url: string; stop(): Promise<void> }> => {
  const server = createServer((request, response) => {
    const answered = request.method === 'POST' ? answer(request) : Promise.resolve(new Response(null, { status: 405 }));
    void answered.then(async (answer) => {
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    stop: () => new Promise((resolve) => void (server.closeAllConnections(), server.close(() => resolve()))),
  };
};

const answer = async (request: IncomingMessage): Promise<Response> => {
  const message: unknown = await json(request);
  const headers = new Headers({ accept: 'application/json, text/event-stream', 'content-type': 'application/json' });
  for (const [name, value] of Object.entries(request.headers)) {
    if (name.startsWith('mcp-') && typeof value === 'string') headers.set(name, value);
  }
  const url = `http://${request.headers.host}${request.url}`;
  const caller = { keyId: 'key', scopes: ['memory:read'], resource: new URL(url) };
  return answerMcpRequest(new Request(url, { method: 'POST', headers }), message, caller, createFixtures);
};
