import { sleep } from '../shared/wait.mjs';

const TRY_MS = 3_000;
/** Maximum time that a writer retries one request, over all ingests. */
const GIVE_UP_MS = 180_000;

/**
 * A writer's API connection, like a careful backend: a request without an answer or with a 5xx is retried with the same
 * idempotency key at the next ingest.
 *
 * `outages` collects the periods in which no request of this writer succeeded: from the first attempt to the final
 * answer, with the longest run of 503 answers inside it.
 */
export class PatientClient {
  constructor({ urls, apiKey, first = 0 }) {
    this.urls = urls;
    this.apiKey = apiKey;
    this.next = first;
    this.outages = [];
    this.answers = new Map();
    /** Answers of 500 and above other than 503: defects of the service. */
    this.failures = [];
  }

  /**
   * Resolves with the first answer below 500.
   *
   * @param {string} method
   * @param {string} path
   * @param {{ body?: unknown, key?: string, once?: boolean }} [options] `key`: idempotency key; `once`: without a retry
   */
  async send(method, path, { body, key, once = false } = {}) {
    const started = Date.now();
    const failures = [];
    for (;;) {
      const { status, answer } = await this.tryOnce(method, path, body, key);
      this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
      if (status >= 500 && status !== 503) this.failures.push(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
      const isUnsettled = status === 429 || answer?.code === 'idempotency.in_progress';
      if (once || (status > 0 && status < 500 && !isUnsettled)) {
        if (failures.length > 0)
          this.outages.push({ what: `${method} ${path}`, ...outageOf(started, failures, Date.now()) });
        return { status, answer };
      }
      failures.push({ at: Date.now(), status });
      if (Date.now() - started > GIVE_UP_MS) throw new Error(`${method} ${path}: not served in ${GIVE_UP_MS} ms`);
      this.next += 1;
      await sleep(Math.min(50 * failures.length, 500));
    }
  }

  async tryOnce(method, path, body, key) {
    try {
      const response = await fetch(new URL(path, this.urls[this.next % this.urls.length]), {
        method,
        headers: {
          authorization: `Bearer ${this.apiKey}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(key === undefined ? {} : { 'idempotency-key': key }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: AbortSignal.timeout(TRY_MS),
      });
      const text = await response.text();
      return { status: response.status, answer: text === '' ? null : JSON.parse(text) };
    } catch {
      return { status: 0, answer: null }; // refused, cut off or timed out
    }
  }
}

/** From the start of the request to its answer; `unavailableMs` is the longest run of consecutive 503 answers. */
const outageOf = (from, failures, end) => {
  let unavailableMs = 0;
  /** @type {number | null} */
  let since = null;
  for (const [index, { at, status }] of failures.entries()) {
    if (status !== 503) since = null;
    else {
      const start = since ?? at;
      since = start;
      unavailableMs = Math.max(unavailableMs, (failures[index + 1]?.at ?? end) - start);
    }
  }
  return { from, to: end, unavailableMs, statuses: failures.map(({ status }) => status) };
};
