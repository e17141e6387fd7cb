import { ExtractionFailed, ModelOutage } from '@turnkeeper/application';
import type { TokenUsage } from '@turnkeeper/domain';
import type { HttpAnswer } from './post-json.js';
import { retryAfterMs } from './retry-after.js';
import { storable } from './storable.js';

/** The text of a chat completion. Throws if there is none. */
export const contentOf = (answer: HttpAnswer, now: number): string => {
  assertOk(answer, now);
  const choice = firstChoice(answer.text);
  const usage = usageOf(answer);
  const { refusal, content } = choice.message;
  if (isText(refusal)) throw failed('model.refused', 'The model refused to answer.', refusal, usage);
  const written = withoutThoughts(textOf(content) ?? '');
  const text = written.trim() === '' ? argumentsOf(choice.message) : written;
  switch (choice.finishReason) {
    case 'content_filter':
      throw failed('model.refused', "The endpoint's content filter stopped the answer.", text ?? answer.text, usage);
    case 'length':
      throw failed('model.truncated_answer', TRUNCATED, text ?? answer.text, usage);
    default:
      if (text === null || text.trim() === '') {
        throw failed('model.empty_answer', emptyMessage(choice.message), answer.text, usage);
      }
      return storable(text);
  }
};

const TRUNCATED =
  'The answer was cut off at the token limit of the endpoint. Raise that limit, or lower EXTRACTION_WINDOW_EVENTS.';

const emptyMessage = ({ content, reasoning_content: reasoning, reasoning: thoughts }: Choice['message']): string =>
  isText(reasoning) || isText(thoughts) || isText(content)
    ? 'The model only thought and did not answer. Raise the token limit of the endpoint, or turn its thinking off.'
    : 'The model answered without text.';

/**
 * The answer without what a reasoning model thought before it, which may contain drafts. Thoughts that do not end are
 * the whole text.
 */
const withoutThoughts = (text: string): string => {
  const end = text.lastIndexOf('</think>');
  const rest = end < 0 ? text : text.slice(end + '</think>'.length);
  return /^\s*<think>/.test(rest) ? '' : rest;
};

/** The arguments of a tool call, which some endpoints make of a response format. */
const argumentsOf = (message: Choice['message']): string | null => {
  const calls = message['tool_calls'];
  const call = Array.isArray(calls) ? asObject(asObject(calls[0])?.['function']) : asObject(message['function_call']);
  const given = call?.['arguments'];
  return isText(given) ? given : asObject(given) === null ? null : JSON.stringify(given);
};

/** Token usage of an answer; null if absent or invalid. */
export const usageOf = ({ text }: HttpAnswer): TokenUsage | null => {
  const usage = asObject(asObject(parse(text))?.['usage']);
  const inputTokens = usage?.['prompt_tokens'];
  const outputTokens = usage?.['completion_tokens'];
  return isCount(inputTokens) && isCount(outputTokens) ? { inputTokens, outputTokens } : null;
};

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** Whether the endpoint rejected the request because of the response format, so that plain prompting may work. */
export const rejectsSchema = ({ status, text }: HttpAnswer): boolean =>
  (status === 400 || status === 422 || status === 501) &&
  /response_format|json_schema|structured output|schema/i.test(text.slice(0, 10_000));

/** Whether the endpoint rejected the request because the model has no temperature. */
export const rejectsTemperature = ({ status, text }: HttpAnswer): boolean =>
  (status === 400 || status === 422) && /\btemperature\b/i.test(text.slice(0, 10_000));

const assertOk = ({ status, text, retryAfter }: HttpAnswer, now: number): void => {
  if (status >= 200 && status < 300) return;
  const wait = retryAfterMs(retryAfter, now);
  if (status === 429) throw new ModelOutage('model.rate_limited', 'The endpoint asks to slow down.', text, wait);
  if (status >= 500 || status === 408) {
    // 502 and 503 come from a proxy in front of an unavailable model. Other errors may be caused by this particular
    // window.
    const Failure = status === 502 || status === 503 ? ModelOutage : ExtractionFailed;
    throw new Failure('model.unavailable', `The endpoint answered with status ${status}.`, text, wait);
  }
  if (status === 401 || status === 403) {
    throw new ModelOutage('model.unauthorized', 'The endpoint does not accept the key (LLM_API_KEY).', text);
  }
  if (status === 402)
    throw new ModelOutage('model.payment_required', 'The account at the endpoint has no credit.', text);
  if (status === 404) {
    const message = 'The endpoint does not know the address or the model (LLM_BASE_URL, LLM_MODEL).';
    throw new ModelOutage('model.not_found', message, text);
  }
  if (CONTEXT_TOO_SMALL.test(text.slice(0, 10_000))) {
    const message = "The request does not fit into the model's context. Lower EXTRACTION_WINDOW_EVENTS.";
    throw new ExtractionFailed('model.context_too_small', message, text);
  }
  throw new ExtractionFailed('model.request_rejected', `The endpoint answered with status ${status}.`, text);
};

const CONTEXT_TOO_SMALL = /context[ _](?:length|window|size)|too many (?:input )?tokens|prompt is too long/i;

interface Choice {
  readonly message: Readonly<Record<string, unknown>>;
  readonly finishReason: unknown;
}

const firstChoice = (body: string): Choice => {
  const parsed = asObject(parse(body));
  const choices = parsed?.['choices'];
  const choice = Array.isArray(choices) ? asObject(choices[0]) : null;
  const message = asObject(choice?.['message']);
  if (choice === null || message === null) {
    // Some gateways report the failure of a model behind them with status 200.
    if (asObject(parsed?.['error']) !== null)
      throw failed('model.unavailable', 'The endpoint answered with an error in place of a completion.', body);
    throw failed('model.unreadable_answer', 'The answer is not a chat completion.', body);
  }
  return { message, finishReason: choice['finish_reason'] };
};

/** A string, or the text parts that some endpoints send instead. */
const textOf = (content: unknown): string | null => {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return null;
  return content
    .map((part) => asObject(part)?.['text'])
    .filter(isText)
    .join('');
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const asObject = (value: unknown): Record<string, unknown> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

const failed = (code: string, message: string, raw: string, usage: TokenUsage | null = null): ExtractionFailed =>
  new ExtractionFailed(code, message, storable(raw), null, usage);
