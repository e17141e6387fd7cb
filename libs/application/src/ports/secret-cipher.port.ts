/** Where a secret is stored. A sealed value opens only in its own place, so values cannot be swapped between rows. */
export interface SecretPlace {
  readonly table: string;
  readonly rowId: string;
  readonly column: string;
}

/**
 * Encrypts secrets before they are stored. Asynchronous, so that an adapter may ask a key management service.
 * Values stored before encryption was turned on are opened as they are.
 */
export interface SecretCipher {
  /** The form to store: sealed under the newest key, or plain text where the installation stores plain text. */
  seal(plain: string, place: SecretPlace): Promise<string>;
  /** Rejects with `SecretUnreadable`. */
  open(stored: string, place: SecretPlace): Promise<string>;
  /** False when `seal` would store it in another form now: it is plain text, or sealed under an older key. */
  isCurrent(stored: string): boolean;
}

/** A stored secret cannot be opened. The message names the setting to look at, never a value. */
export class SecretUnreadable extends Error {
  readonly code = 'secrets.unreadable';
  constructor({ table, rowId, column }: SecretPlace, why: string) {
    super(`A secret cannot be opened (${table}.${column}, ${rowId}): ${why}`);
    this.name = 'SecretUnreadable';
  }
}
