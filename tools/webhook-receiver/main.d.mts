export type ReceiverMode = 'ok' | 'fail' | 'hang' | 'redirect' | 'gone' | 'flaky';

export interface ReceiverOptions {
  /** Default 0: any free one. */
  readonly port?: number;
  /** Default `standard`. */
  readonly format?: 'standard' | 'agora';
  /** Accepted secrets; with none, signatures are not checked. Default none. */
  readonly secrets?: readonly string[];
  /** Default `ok`. */
  readonly mode?: ReceiverMode;
  readonly onReceived?: (entry: ReceivedWebhook) => void;
  /** Told when `POST /control` asks it to stop. */
  readonly onStop?: () => void;
}

export interface ReceivedWebhook {
  readonly receivedAt: string;
  readonly path: string;
  /** `webhook-id`, or Agora's `noticeId`. */
  readonly id: string;
  readonly type: string;
  /** How often this id has come, this time included. */
  readonly attempt: number;
  /** Null when there was no secret to check with. */
  readonly verified: boolean | null;
  readonly problem?: string;
  /** The status given back; 401 for a wrong signature, null when left hanging. */
  readonly answered: number | null;
  /** Of the raw body. */
  readonly sha256: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parsed where it is JSON. */
  readonly body: unknown;
}

export interface Receiver {
  readonly url: string;
  readonly port: number;
  /** What came, oldest first. */
  readonly received: readonly ReceivedWebhook[];
  setMode(mode: ReceiverMode): void;
  setSecrets(secrets: readonly string[]): void;
  close(): Promise<void>;
}

export function startReceiver(options?: ReceiverOptions): Promise<Receiver>;
