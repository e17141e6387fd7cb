/** Where Turnkeeper is, and as whom to call it. */
export interface TurnkeeperOptions {
  /** Base URL of ingest, such as `https://memory.example.com`. */
  readonly url: string;
  readonly apiKey: string;
  /** Memory that the threads belong to. */
  readonly memoryId: string;
  /** Maximum duration of a request in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Attempts of a request that the server could not answer (429, 503, lost connections). Default: 5. */
  readonly attempts?: number;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/** A refusal of the server. `code` is stable; see the error reference of the server under `/docs/errors`. */
export class TurnkeeperError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'TurnkeeperError';
  }
}

const TIMEOUT_MS = 30_000;
const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;
const PASSING: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

/** Calls the HTTP API. Every request can be repeated, so it is retried while the server is away or busy. */
export class Api {
  private readonly base: string;

  constructor(private readonly options: TurnkeeperOptions) {
    this.base = `${options.url.replace(/\/$/, '')}/v1/memories/${encodeURIComponent(options.memoryId)}`;
  }

  /**
   * @param path below the memory
   * @returns the parsed body; null for 404 with the code `missing`, and for an empty body
   */
  async call<T>(method: string, path: string, body?: unknown, missing?: string): Promise<T | null> {
    const content = body === undefined ? null : JSON.stringify(body);
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt >= (this.options.attempts ?? ATTEMPTS);
      let response: Response;
      try {
        response = await this.send(method, path, content);
      } catch (error) {
        if (isLast) throw error;
        await pause(attempt, null);
        continue;
      }
      if (PASSING.has(response.status) && !isLast) {
        await response.arrayBuffer();
        await pause(attempt, response.headers.get('retry-after'));
        continue;
      }
      const text = await response.text();
      if (response.ok) return text === '' ? null : (JSON.parse(text) as T);
      const error = errorOf(response.status, text);
      if (missing !== undefined && error.code === missing) return null;
      throw error;
    }
  }

  private send(method: string, path: string, body: string | null): Promise<Response> {
    const { apiKey, timeoutMs = TIMEOUT_MS, fetch: fetchWith = fetch } = this.options;
    return fetchWith(`${this.base}${path}`, {
      method,
      body,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body === null ? {} : { 'content-type': 'application/json' }),
      },
      signal: AbortSignal.timeout(timeoutMs),
    });
  }
}

const pause = (attempt: number, retryAfter: string | null): Promise<void> => {
  const backoff = FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random());
  const asked = Number(retryAfter ?? 0) * 1_000;
  const ms = Math.min(LONGEST_PAUSE_MS, Math.max(backoff, Number.isFinite(asked) ? asked : 0));
  return new Promise((resolve) => setTimeout(resolve, ms));
};

const errorOf = (status: number, text: string): TurnkeeperError => {
  let problem: { code?: unknown; detail?: unknown; next?: unknown } = {};
  try {
    problem = JSON.parse(text) as typeof problem;
  } catch {
    // Not from Turnkeeper: a proxy in between.
  }
  const said = [problem.detail, problem.next].filter((part) => typeof part === 'string').join(' ');
  const code = typeof problem.code === 'string' ? problem.code : `http.${status}`;
  return new TurnkeeperError(status, code, `${code}: ${said === '' ? `HTTP ${status}` : said}`);
};
