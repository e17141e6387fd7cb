import { createHash, randomBytes } from 'node:crypto';

export const systemClock = { now: (): Date => new Date() };

/** UUID version 7 (RFC 9562): 48 bits of milliseconds, then random bits. */
const uuidV7 = (nowMs: number, random: Buffer): string => {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(nowMs, 0, 6);
  random.copy(bytes, 6, 0, 10);
  return formatUuid(bytes, 7);
};

const formatUuid = (bytes: Buffer, version: number): string => {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | (version << 4);
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};

let pool = Buffer.alloc(0);
/** Random bytes are drawn in bulk: one system call per id would be felt on the append path. */
const drawRandom = (length: number): Buffer => {
  if (pool.length < length) pool = randomBytes(4_096);
  const drawn = pool.subarray(0, length);
  pool = pool.subarray(length);
  return drawn;
};

export const systemIds = {
  next: (): string => uuidV7(Date.now(), drawRandom(10)),
  derive: (...parts: readonly (string | number)[]): string =>
    formatUuid(createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, 16), 8),
};

export const sha256Hex = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');
