import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  type InputRequests,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

const { mint, verify } = createRequestStateCodec<{ readonly round: number }>({
  key: 'a key of 32 bytes for the tests.',
});
export { verify };

const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] });
const question = (message: string, requestedSchema: z.ZodType) =>
  inputRequired.elicit({ message, requestedSchema } as Parameters<typeof inputRequired.elicit>[0]);
const sample = (prompt: string, maxTokens: number) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text: prompt } }], maxTokens });

const capabilitiesOf = (envelope: object | undefined): { readonly elicitation?: object } =>
  (envelope as Record<string, object> | undefined)?.[CLIENT_CAPABILITIES_META_KEY] ?? {};

const NAME = z.object({ name: z.string() });
const COLOR = z.object({ color: z.string() });
const OK = z.object({ ok: z.boolean() });
const CONTEXT = z.object({ context: z.string() });

/** Tools and a prompt that ask the client for something first, as the conformance suite wants them. */
export const addInputTools = (server: McpServer): void => {
  const tool = (name: string, call: (context: ServerContext) => Promise<object> | object): void => {
    server.registerTool(name, { description: name }, call as never);
  };
  /** Asks until every answer is there. */
  const asking = (name: string, inputRequests: InputRequests, done: string, isStateful = false): void =>
    tool(name, async ({ mcpReq }) => {
      const isAnswered = Object.keys(inputRequests).every(
        (key) => inputResponse(mcpReq.inputResponses, key).kind !== 'missing',
      );
      if (isAnswered && (!isStateful || mcpReq.requestState() !== undefined)) {
        return text(`${done} ${JSON.stringify(mcpReq.inputResponses)}`);
      }
      return inputRequired({ inputRequests, ...(isStateful ? { requestState: await mint({ round: 1 }) } : {}) });
    });

  tool('test_input_required_result_elicitation', ({ mcpReq }) => {
    const name = acceptedContent(mcpReq.inputResponses, 'user_name', NAME)?.name;
    if (name !== undefined) return text(`Hello, ${name}!`);
    return inputRequired({ inputRequests: { user_name: question('What is your name?', NAME) } });
  });
  asking(
    'test_input_required_result_sampling',
    { capital_question: sample('What is the capital of France?', 100) },
    '',
  );
  asking('test_input_required_result_list_roots', { client_roots: inputRequired.listRoots() }, '');
  for (const name of ['request_state', 'tampered_state']) {
    asking(`test_input_required_result_${name}`, { confirm: question('Please confirm', OK) }, 'state-ok', true);
  }
  asking(
    'test_input_required_result_multiple_inputs',
    {
      user_name: question('What is your name?', NAME),
      greeting: sample('Generate a greeting', 50),
      client_roots: inputRequired.listRoots(),
    },
    '',
    true,
  );
  tool('test_input_required_result_multi_round', async ({ mcpReq }) => {
    const round = mcpReq.requestState<{ readonly round: number }>()?.round ?? 0;
    if (round === 2 && acceptedContent(mcpReq.inputResponses, 'step2', COLOR) !== undefined) return text('done');
    const isSecond = round === 1 && acceptedContent(mcpReq.inputResponses, 'step1', NAME) !== undefined;
    return inputRequired({
      inputRequests: isSecond
        ? { step2: question('Step 2: What is your favorite color?', COLOR) }
        : { step1: question('Step 1: What is your name?', NAME) },
      requestState: await mint({ round: isSecond ? 2 : 1 }),
    });
  });
  tool('test_input_required_result_capabilities', ({ mcpReq }) =>
    inputRequired({
      inputRequests:
        capabilitiesOf(mcpReq.envelope).elicitation === undefined
          ? { sampled: sample('Anything', 10) }
          : { user_name: question('What is your name?', NAME) },
    }),
  );
  tool('test_missing_capability', () => inputRequired({ inputRequests: { sampled: sample('Anything', 10) } }));
  for (const name of ['test_tool_with_progress', 'test_streaming_elicitation']) {
    tool(name, async ({ mcpReq }) => {
      const { progressToken } = mcpReq._meta ?? {};
      for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken: progressToken!, progress, total: 100 },
        });
      }
      return text('done');
    });
  }
  tool('test_logging_tool', async ({ mcpReq }) => {
    await mcpReq.log('info', 'Working.');
    return text('done');
  });
  server.registerPrompt('test_input_required_result_prompt', { description: 'asks' }, (({ mcpReq }: ServerContext) => {
    const context = acceptedContent(mcpReq.inputResponses, 'user_context', CONTEXT)?.context;
    if (context === undefined) {
      return inputRequired({
        inputRequests: { user_context: question('What context should the prompt use?', CONTEXT) },
      });
    }
    return { messages: [{ role: 'user', content: { type: 'text', text: context } }] };
  }) as never);
};
