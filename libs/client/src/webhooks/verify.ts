/** Headers of a request: `Headers`, or a plain object as Node's `request.headers`. */
type RequestHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface WebhookRequest {
  readonly headers: RequestHeaders;
  /** The body as received, before any parsing: a reserialized body has another signature. */
  readonly body: string | Uint8Array | ArrayBuffer;
  /** The endpoint's secret; several while a secret is being rotated. */
  readonly secret: string | readonly string[];
}

export interface VerifyOptions {
  /** Largest difference between the message's time and this clock, in seconds. Default 300. */
  readonly toleranceSeconds?: number;
  /** Current time in ms. Default: the clock. */
  readonly now?: () => number;
}

/** A verified message in the format `standard`. Deduplicate by `id`: a message can arrive more than once. */
export interface WebhookMessage {
  readonly id: string;
  /** E.g. `agent.history`. */
  readonly type: string;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly data: { readonly [field: string]: unknown };
}

/** A verified message in the format `agora`. Deduplicate by `noticeId`. */
export interface AgoraNotice {
  readonly noticeId: string;
  readonly productId: number;
  readonly eventType: number;
  readonly notifyMs: number;
  readonly payload: { readonly [field: string]: unknown };
}

export type WebhookFault = 'headers_missing' | 'too_old_or_new' | 'signature_invalid' | 'not_json';

/** The request did not come from Turnkeeper, or was changed in transit: answer 401. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  constructor(
    readonly fault: WebhookFault,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Verifies a webhook in the format `standard` (Standard Webhooks 1.0) and parses it.
 *
 * @throws WebhookVerificationError
 */
export const verifyWebhook = async (
  request: WebhookRequest,
  { toleranceSeconds = 300, now = Date.now }: VerifyOptions = {},
): Promise<WebhookMessage> => {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    header(request.headers, name),
  );
  if (!id || !timestamp || !signatures) throw missing('webhook-id, webhook-timestamp and webhook-signature');
  const age = Math.abs(now() / 1_000 - Number(timestamp));
  if (!(age <= toleranceSeconds)) {
    throw new WebhookVerificationError('too_old_or_new', 'The time of the message differs too much from this clock.');
  }
  const body = bytesOf(request.body);
  const signed = joined(utf8(`${id}.${timestamp}.`), body);
  const given = signatures.split(' ').flatMap((each) => (each.startsWith('v1,') ? (base64(each.slice(3)) ?? []) : []));
  for (const secret of secretsOf(request)) {
    const key = base64(secret.startsWith('whsec_') ? secret.slice(6) : secret);
    if (key === undefined) throw new TypeError('The secret is not one of Standard Webhooks: whsec_ and base64.');
    for (const signature of given) if (await isSigned('SHA-256', key, signed, signature)) return parsed(body);
  }
  throw invalid();
};

/**
 * Verifies a webhook in the format `agora`, or a notification of Agora itself, and parses it.
 *
 * @throws WebhookVerificationError
 */
export const verifyAgoraWebhook = async (request: WebhookRequest): Promise<AgoraNotice> => {
  const first = header(request.headers, 'agora-signature');
  const second = header(request.headers, 'agora-signature-v2');
  if (!first && !second) throw missing('Agora-Signature or Agora-Signature-V2');
  const body = bytesOf(request.body);
  for (const secret of secretsOf(request)) {
    const key = utf8(secret);
    const valid =
      (!first || (await isSigned('SHA-1', key, body, hex(first)))) &&
      (!second || (await isSigned('SHA-256', key, body, hex(second))));
    if (valid) return parsed(body);
  }
  throw invalid();
};

type Bytes = Uint8Array<ArrayBuffer>;

/** In constant time. */
const isSigned = async (
  hash: 'SHA-1' | 'SHA-256',
  secret: Bytes,
  text: Bytes,
  signature: Bytes | undefined,
): Promise<boolean> => {
  if (signature === undefined || secret.length === 0) return false;
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash }, false, ['verify']);
  return crypto.subtle.verify('HMAC', key, signature, text);
};

const secretsOf = ({ secret }: WebhookRequest): readonly string[] => (typeof secret === 'string' ? [secret] : secret);

const header = (headers: RequestHeaders, name: string): string | undefined => {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : found?.[0];
};

const utf8 = (text: string): Bytes => new TextEncoder().encode(text);

const bytesOf = (body: string | Uint8Array | ArrayBuffer): Bytes =>
  typeof body === 'string' ? utf8(body) : new Uint8Array(body);

const joined = (a: Bytes, b: Bytes): Bytes => {
  const whole = new Uint8Array(a.length + b.length);
  whole.set(a);
  whole.set(b, a.length);
  return whole;
};

const base64 = (text: string): Bytes | undefined => {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
};

const hex = (text: string): Bytes | undefined =>
  /^(?:[0-9a-f]{2})+$/i.test(text)
    ? Uint8Array.from({ length: text.length / 2 }, (_, index) => parseInt(text.slice(2 * index, 2 * index + 2), 16))
    : undefined;

const parsed = <T>(body: Bytes): T => {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as T;
  } catch {
    throw new WebhookVerificationError('not_json', 'The body is signed, but it is not JSON.');
  }
};

const missing = (names: string): WebhookVerificationError =>
  new WebhookVerificationError('headers_missing', `The request must have the headers ${names}.`);

const invalid = (): WebhookVerificationError =>
  new WebhookVerificationError('signature_invalid', 'The signature does not match the secret and the body.');
