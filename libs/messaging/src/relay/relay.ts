import type { EventPublisher, ReferenceReader, RelayCursor, RelayLease } from '@turnkeeper/application';
import { noticesOf } from './notices.js';
import { Pulse } from './pulse.js';

export interface RelayPorts {
  readonly log: ReferenceReader;
  readonly cursor: RelayCursor;
  readonly publisher: EventPublisher;
}

export interface RelayOptions {
  /** Maximum number of events per page, and so per notice. Default: 500; a notice of 500 events is about 100 kB. */
  readonly pageSize?: number;
  /** Poll interval of the log in milliseconds if `notify` is not called. Default: 100 ms. */
  readonly pollIntervalMs?: number;
  /**
   * Minimum interval between the starts of two reads in milliseconds while the log has less than a full page. The first
   * event after a quiet period is published immediately; under load, events are batched into fewer and larger messages.
   * Default: 50 ms.
   */
  readonly gatherMs?: number;
  /**
   * Minimum interval between two cursor writes in milliseconds under load. A crash republishes at most this much.
   * Default: 1 s.
   */
  readonly cursorIntervalMs?: number;
  /** How often a process that does not lead tries to acquire the lease, in milliseconds. Default: 1 s. */
  readonly leadRetryMs?: number;
  /** First and maximum backoff after a failure in milliseconds; it doubles in between. Default: 100 ms and 5 s. */
  readonly backoffMs?: { readonly first: number; readonly longest: number };
}

/** Callbacks for logs and metrics. */
export interface RelayObserver {
  published?(events: number, notices: number): void;
  /** Reading, publishing or storing the cursor failed; it is retried after the pause. */
  failed?(error: unknown, pauseMs: number): void;
  leading?(leading: boolean): void;
}

/**
 * Publishes the log to the broker: reads what was committed after the cursor, publishes one notice per memory and page,
 * waits for the acknowledgements and advances the cursor. One process leads; the others stand by.
 *
 * The log is the source of truth and the broker holds a copy, so no event can be lost here. While the broker is
 * unreachable, the relay waits and appends continue. After a crash the relay republishes from the stored cursor:
 * delivery is at-least-once, and the stream drops most duplicates by message id.
 */
export class Relay {
  private readonly settings: Required<RelayOptions>;
  private readonly stopping = new AbortController();
  private readonly news = new Pulse();
  private running: Promise<void> | null = null;
  private leadingNow = false;
  private publishedTo = 0;

  constructor(
    private readonly ports: RelayPorts,
    options: RelayOptions = {},
    private readonly observer: RelayObserver = {},
  ) {
    this.settings = {
      pageSize: 500,
      pollIntervalMs: 100,
      gatherMs: 50,
      cursorIntervalMs: 1_000,
      leadRetryMs: 1_000,
      backoffMs: { first: 100, longest: 5_000 },
      ...options,
    };
  }

  /** True while this process holds the lease. */
  get isLeading(): boolean {
    return this.leadingNow;
  }

  /** Position up to which this process has published during its lease; the lag is the log's head minus this. */
  get position(): number {
    return this.publishedTo;
  }

  start(): void {
    this.running ??= this.run();
  }

  /** Events were appended: read the log now instead of at the next poll. Cheap; call it after every append. */
  notify(): void {
    if (this.leadingNow) this.news.fire();
  }

  /** Finishes the page in flight, stores the cursor and releases the lease. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        const lease = await this.ports.cursor.lead();
        if (lease !== null) await this.lead(lease);
      } catch (error) {
        this.observer.failed?.(error, this.settings.leadRetryMs);
      }
      await sleep(this.settings.leadRetryMs, signal);
    }
  }

  private async lead(lease: RelayLease): Promise<void> {
    const halt = new AbortController();
    const end = (): void => {
      halt.abort();
      this.news.fire();
    };
    if (this.stopping.signal.aborted) end();
    this.stopping.signal.addEventListener('abort', end);
    void lease.lost.then(end);
    this.changeLead(true);
    try {
      await this.publishUntil(halt.signal, lease);
    } finally {
      this.changeLead(false);
      this.stopping.signal.removeEventListener('abort', end);
      await lease.release();
    }
  }

  private async publishUntil(halted: AbortSignal, lease: RelayLease): Promise<void> {
    const { pageSize, pollIntervalMs, gatherMs, cursorIntervalMs } = this.settings;
    let storedPosition = lease.position;
    let storedAt = performance.now();
    let pageEnds: number[] = [];
    this.publishedTo = lease.position;
    while (!halted.aborted) {
      const startedAt = performance.now();
      const page = await this.insist(halted, () => this.ports.log.readReferences(this.publishedTo, pageSize));
      const last = page?.at(-1);
      if (page !== undefined && last !== undefined) {
        const notices = noticesOf(page);
        // Retry the same notices: reading again could give other ranges and so other message ids.
        if ((await this.insist(halted, () => publishAll(this.ports.publisher, notices))) === undefined) break;
        this.publishedTo = last.position;
        pageEnds.push(last.position);
        this.observer.published?.(page.length, notices.length);
      }
      const idle = last === undefined;
      if (storedPosition < this.publishedTo && (idle || performance.now() - storedAt >= cursorIntervalMs)) {
        const position = this.publishedTo;
        const ends = pageEnds;
        pageEnds = [];
        await this.insist(halted, () => lease.advance(position, ends));
        storedPosition = position;
        storedAt = performance.now();
      }
      if ((page?.length ?? 0) < pageSize) {
        await this.news.wait(pollIntervalMs);
        await sleep(gatherMs - (performance.now() - startedAt), halted);
      }
    }
    if (storedPosition < this.publishedTo) await lease.advance(this.publishedTo, pageEnds);
  }

  /** Retries until it succeeds; undefined if the lease ended first. */
  private async insist<T>(halted: AbortSignal, work: () => Promise<T>): Promise<T | undefined> {
    const { first, longest } = this.settings.backoffMs;
    for (let pauseMs = first; !halted.aborted; pauseMs = Math.min(pauseMs * 2, longest)) {
      try {
        return await work();
      } catch (error) {
        this.observer.failed?.(error, pauseMs);
        await sleep(pauseMs, halted);
      }
    }
    return undefined;
  }

  private changeLead(leading: boolean): void {
    this.leadingNow = leading;
    this.observer.leading?.(leading);
  }
}

const publishAll = async (
  publisher: EventPublisher,
  notices: Parameters<EventPublisher['publish']>[0],
): Promise<true> => {
  await publisher.publish(notices);
  return true;
};

/** Returns early when the signal is aborted. */
const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (ms <= 0 || signal.aborted) {
      resolve();
      return;
    }
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
  });
