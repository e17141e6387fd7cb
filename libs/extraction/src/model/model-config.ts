/** How to reach an OpenAI-compatible chat endpoint. */
export interface ModelConfig {
  /** Up to and without `/chat/completions`, e.g. `https://api.openai.com/v1` or `http://localhost:11434/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  /** Sent as a bearer token; null sends none. */
  readonly apiKey: string | null;
  /** Longest time for one answer, body included. Default 60,000 ms. */
  readonly timeoutMs: number;
  /** An answer longer than this is cut off and counts as failed. Default 1 MiB. */
  readonly maxAnswerBytes: number;
  /**
   * `schema` asks for output that follows our JSON schema, `prompt` only says so in words.
   * `auto` (the default) asks for the schema until the endpoint says that it does not know how.
   */
  readonly jsonMode: 'auto' | 'schema' | 'prompt';
}

export const MODEL_DEFAULTS = { timeoutMs: 60_000, maxAnswerBytes: 1_048_576, jsonMode: 'auto' } as const;
