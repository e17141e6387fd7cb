import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface ReceivedChat {
  readonly authorization: string | undefined;
  readonly body: {
    readonly messages: readonly { readonly role: string; readonly content: unknown }[];
    readonly [more: string]: unknown;
  };
}

/** How the model answers one request. */
export type ChatBehaviour = (response: ServerResponse, request: ReceivedChat) => void | Promise<void>;

/** A chat endpoint in OpenAI's format on 127.0.0.1. */
export interface ChatModelServer {
  readonly url: string;
  readonly requests: readonly ReceivedChat[];
  /** The behaviour from now on. */
  behave(behaviour: ChatBehaviour): void;
  close(): Promise<void>;
}

const completion = (choice: object, more: object = {}) => ({
  id: 'chatcmpl-1',
  created: 1_790_000_000,
  model: 'model-1',
  choices: [choice],
  ...more,
});

export interface SaidByModel {
  readonly content?: string;
  readonly toolCalls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
}

/** Answers with the words one by one if the client streams, else at once. */
export const says =
  ({ content = '', toolCalls = [] }: SaidByModel): ChatBehaviour =>
  (response, { body }) => {
    const calls = toolCalls.map(({ id, ...called }, index) => ({ index, id, type: 'function', function: called }));
    const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop';
    if (body['stream'] !== true) {
      const message = { role: 'assistant', content: content === '' ? null : content };
      const tools = calls.length === 0 ? {} : { tool_calls: calls.map(({ index: _, ...call }) => call) };
      const choice = { index: 0, message: { ...message, ...tools }, finish_reason };
      response.writeHead(200, { 'content-type': 'application/json', 'x-ratelimit-remaining-requests': '41' });
      response.end(JSON.stringify(completion(choice, { object: 'chat.completion' })));
      return;
    }
    const send = streamTo(response);
    for (const word of content.match(/\S+\s*/g) ?? []) send({ content: word });
    for (const call of calls) {
      const { arguments: given, ...called } = call.function;
      send({ tool_calls: [{ ...call, function: { ...called, arguments: '' } }] });
      // Arguments arrive in pieces that belong together by their index.
      for (const piece of given.match(/.{1,5}/g) ?? []) {
        send({ tool_calls: [{ index: call.index, function: { arguments: piece } }] });
      }
    }
    send({}, finish_reason);
    response.end('data: [DONE]\n\n');
  };

/** Answers with everything that it was given, so that a test sees what the server forwards. */
export const repeats: ChatBehaviour = (response, request) =>
  says({ content: JSON.stringify(request.body.messages) })(response, request);

/** Begins a stream; returns how to send one chunk. */
export const streamTo = (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  let role: object = { role: 'assistant' };
  return (delta: object, finish_reason: string | null = null): void => {
    const chunk = completion(
      { index: 0, delta: { ...role, ...delta }, finish_reason },
      { object: 'chat.completion.chunk' },
    );
    role = {};
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
};

export const startChatModel = async (): Promise<ChatModelServer> => {
  const requests: ReceivedChat[] = [];
  let behaviour: ChatBehaviour = says({ content: 'Understood.' });
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const received: ReceivedChat = {
        authorization: incoming.headers.authorization,
        body: JSON.parse(Buffer.concat(chunks).toString()) as ReceivedChat['body'],
      };
      requests.push(received);
      void behaviour(response, received);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    behave: (next) => {
      behaviour = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
