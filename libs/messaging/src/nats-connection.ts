import { connect, Events, type ConnectionOptions, type NatsConnection } from 'nats';

export interface NatsConnectionOptions {
  /** `nats://host:4222` or `tls://…`, with optional user and password; several servers are separated by commas. */
  readonly url: string;
  /** Shown on the server's monitoring pages. */
  readonly name: string;
  /** Called when the connection comes up or goes down, and on failed dials. */
  readonly onChange?: (state: 'connected' | 'disconnected', error?: unknown) => void;
}

const DIAL_TIMEOUT_MS = 2_000;
const DIAL_PAUSE_MS = 500;

/**
 * One connection per process. It dials in the background until it succeeds and reconnects indefinitely, so a process
 * starts and keeps running without NATS.
 */
export class NatsConnectionProvider {
  private readonly ready: Promise<NatsConnection>;
  private current: NatsConnection | null = null;
  private connected = false;
  private pinging: Promise<void> | null = null;
  private readonly closing = new AbortController();

  constructor(private readonly options: NatsConnectionOptions) {
    this.ready = this.dial();
    this.ready.catch(() => undefined); // reported by `connection()`
  }

  /** True while connected. */
  isConnected(): boolean {
    return this.connected;
  }

  /** Resolves when the server answers. Pending while it is frozen; rejects without a connection. */
  ping(): Promise<void> {
    if (!this.connected || this.current === null) return Promise.reject(new Error('NATS is not connected.'));
    // One at a time: a frozen server would collect one for each probe.
    this.pinging ??= this.current.flush().finally(() => (this.pinging = null));
    return this.pinging;
  }

  /**
   * Resolves to the connection once it was established; it may be reconnecting. Rejects once the provider is closed.
   */
  connection(): Promise<NatsConnection> {
    return this.ready;
  }

  /** Flushes what was sent and closes the connection. Resolves immediately if there is none. */
  async close(): Promise<void> {
    this.closing.abort();
    const connection = this.current;
    if (connection === null) return;
    if (this.connected) await connection.flush().catch(() => undefined);
    this.connected = false;
    await connection.close();
  }

  private async dial(): Promise<NatsConnection> {
    const options = dialOptions(this.options);
    for (;;) {
      this.closing.signal.throwIfAborted();
      try {
        const connection = await this.connectUnlessClosed(options);
        this.current = connection;
        this.change('connected');
        void this.watch(connection);
        return connection;
      } catch (error) {
        this.closing.signal.throwIfAborted();
        this.change('disconnected', error);
        await pause(DIAL_PAUSE_MS, this.closing.signal);
      }
    }
  }

  /**
   * With several servers the client keeps reconnecting on its own, so a connection may be established after the close.
   */
  private async connectUnlessClosed(options: ConnectionOptions): Promise<NatsConnection> {
    const { signal } = this.closing;
    const dialing = connect(options);
    dialing.then((late) => (signal.aborted ? late.close() : undefined)).catch(() => undefined);
    let onAbort = (): void => undefined;
    const closed = new Promise<never>((_, reject) => {
      onAbort = () => reject(signal.reason as Error);
      signal.addEventListener('abort', onAbort);
    });
    try {
      const connection = await Promise.race([dialing, closed]);
      signal.throwIfAborted();
      return connection;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  private async watch(connection: NatsConnection): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type === Events.Reconnect) this.change('connected');
      if (type === Events.Disconnect) this.change('disconnected');
    }
    this.connected = false;
  }

  private change(state: 'connected' | 'disconnected', error?: unknown): void {
    this.connected = state === 'connected';
    this.options.onChange?.(state, error);
  }
}

const dialOptions = ({ url, name }: NatsConnectionOptions): ConnectionOptions => {
  const servers = url.split(',').map((server) => new URL(server.trim()));
  const [first] = servers;
  return {
    servers: servers.map((server) => `${server.hostname}:${server.port || '4222'}`),
    name,
    ...(first?.username ? { user: decodeURIComponent(first.username), pass: decodeURIComponent(first.password) } : {}),
    ...(first?.protocol === 'tls:' ? { tls: {} } : {}),
    // Otherwise the client permanently drops servers that are down at the first connect.
    waitOnFirstConnect: servers.length > 1,
    timeout: DIAL_TIMEOUT_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    // Detects a server that vanished without closing its socket after two unanswered pings.
    pingInterval: 5_000,
    maxPingOut: 2,
    ignoreAuthErrorAbort: true,
    noAsyncTraces: true,
  };
};

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
  });
