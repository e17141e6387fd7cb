import type { Extractor } from '@turnkeeper/application';
import type { Tracing } from '@turnkeeper/platform';

/**
 * A span for each model call, following the conventions for generative AI. It contains neither the prompt nor the
 * answer: the answer is in the log, where erasures reach it.
 */
export const tracedExtractor = (
  extractor: Extractor,
  tracing: Tracing,
  { baseUrl, model }: { readonly baseUrl: string | undefined; readonly model: string | undefined },
): Extractor => {
  if (!tracing.on || !extractor.costly || baseUrl === undefined) return extractor;
  const { hostname, port, protocol } = new URL(baseUrl);
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': model,
    'server.address': hostname,
    'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
  };
  return {
    name: extractor.name,
    costly: true,
    read: (input, rawAnswer, signal) => extractor.read(input, rawAnswer, signal),
    ask: (input, signal) =>
      tracing.within(model === undefined ? 'chat' : `chat ${model}`, { kind: 'client', attributes }, async (span) => {
        const answer = await extractor.ask(input, signal);
        span?.set({
          'gen_ai.response.model': answer.model ?? undefined,
          'gen_ai.usage.input_tokens': answer.usage?.inputTokens,
          'gen_ai.usage.output_tokens': answer.usage?.outputTokens,
        });
        return answer;
      }),
  };
};
