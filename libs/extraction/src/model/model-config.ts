/** Configuration of an OpenAI-compatible chat endpoint. */
export interface ModelConfig {
  /** URL without `/chat/completions`, e.g. `https://api.openai.com/v1` or `http://localhost:11434/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  /** Sent as a bearer token; null sends none. */
  readonly apiKey: string | null;
  /** Timeout for a complete answer in ms. Default 180,000. */
  readonly timeoutMs: number;
  /** A longer answer is truncated and counts as failed. Default 1 MiB. */
  readonly maxAnswerBytes: number;
  /**
   * `schema` requests output that follows our JSON schema; `prompt` describes the format in words. `auto` (the default)
   * requests the schema until the endpoint reports that it is not supported.
   */
  readonly jsonMode: 'auto' | 'schema' | 'prompt';
  /** Headers added to each request, such as `traceparent`. Default: none. */
  readonly headers?: (() => Readonly<Record<string, string>>) | undefined;
}

export const MODEL_DEFAULTS = { timeoutMs: 180_000, maxAnswerBytes: 1_048_576, jsonMode: 'auto' } as const;
