import { refusal } from '../errors.js';

/** A signing secret and its validity. */
export interface WebhookSecret {
  readonly secret: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** When it stops signing (ISO 8601); null for the newest, which has no end yet. */
  readonly expiresAt: string | null;
}

/** Default time that the previous secret stays valid: one day to replace it everywhere. */
export const DEFAULT_OVERLAP_SECONDS = 86_400;

/** Maximum number of overlapping secrets: each valid one adds a signature to every message. */
export const MAX_VALID_SECRETS = 10;

export class TooManySecrets extends refusal('webhook.too_many_secrets', 'conflict', {
  message: 'The endpoint has too many valid secrets.',
  field: 'overlapSeconds',
  rule: `must leave at most ${MAX_VALID_SECRETS} secrets valid at the same time`,
  next: 'Wait until the overlap of earlier rotations ends, or rotate with a shorter one.',
}) {}

export const newSecret = (secret: string, now: Date): WebhookSecret => ({
  secret,
  createdAt: now.toISOString(),
  expiresAt: null,
});

/** The secrets valid at `now`, newest first. */
export const validSecrets = (secrets: readonly WebhookSecret[], now: Date): WebhookSecret[] =>
  secrets.filter(({ expiresAt }) => expiresAt === null || Date.parse(expiresAt) > now.getTime());

/**
 * Adds a new secret. Earlier secrets stay valid for the overlap or until their own expiry, whichever is earlier;
 * expired ones are removed.
 *
 * @param overlapSeconds 0 invalidates the others immediately, for a leaked secret
 * @throws TooManySecrets
 */
export const rotateSecrets = (
  secrets: readonly WebhookSecret[],
  secret: string,
  { now, overlapSeconds }: { readonly now: Date; readonly overlapSeconds: number },
): readonly WebhookSecret[] => {
  const end = now.getTime() + overlapSeconds * 1_000;
  const ending = secrets.map((old): WebhookSecret => {
    const own = old.expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(old.expiresAt);
    return { ...old, expiresAt: new Date(Math.min(own, end)).toISOString() };
  });
  const rotated = [newSecret(secret, now), ...validSecrets(ending, now)];
  if (rotated.length > MAX_VALID_SECRETS) throw new TooManySecrets();
  return rotated;
};
