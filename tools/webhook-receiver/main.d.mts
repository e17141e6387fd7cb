export type ReceiverMode = 'ok' | 'fail' | 'hang' | 'redirect' | 'gone' | 'flaky';

export interface ReceiverOptions {
  /** Default: 0, a free port. */
  readonly port?: number;
  /** Default `standard`. */
  readonly format?: 'standard' | 'agora';
  /** Accepted secrets. Default: none, and signatures are not checked. */
  readonly secrets?: readonly string[];
  /** Default `ok`. */
  readonly mode?: ReceiverMode;
  readonly onReceived?: (entry: ReceivedWebhook) => void;
  /** Called when `POST /control` asks the receiver to stop. */
  readonly onStop?: () => void;
}

export interface ReceivedWebhook {
  readonly receivedAt: string;
  readonly path: string;
  /** `webhook-id`, or Agora's `noticeId`. */
  readonly id: string;
  readonly type: string;
  /** Number of this attempt for the id, from 1. */
  readonly attempt: number;
  /** Null if there is no secret to check with. */
  readonly verified: boolean | null;
  readonly problem?: string;
  /** Status of the response; 401 for a wrong signature, null if there was none. */
  readonly answered: number | null;
  /** Hex SHA-256 of the raw body. */
  readonly sha256: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parsed if it is JSON. */
  readonly body: unknown;
}

export interface Receiver {
  readonly url: string;
  readonly port: number;
  /** Oldest first. */
  readonly received: readonly ReceivedWebhook[];
  setMode(mode: ReceiverMode): void;
  setSecrets(secrets: readonly string[]): void;
  close(): Promise<void>;
}

export function startReceiver(options?: ReceiverOptions): Promise<Receiver>;
