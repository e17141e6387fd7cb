import { createHash, randomBytes } from 'node:crypto';

export const systemClock = { now: (): Date => new Date() };

/** UUID version 7 (RFC 9562): 48 bits of milliseconds, then 74 bits from 19 random hex digits. */
const uuidV7 = (nowMs: number, random: string): string => {
  const time = nowMs.toString(16).padStart(12, '0');
  const variant = '89ab'[Number.parseInt(random[3] as string, 16) & 3] as string;
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-${variant}${random.slice(4, 7)}-${random.slice(7, 19)}`;
};

/** UUID version 8: custom bytes. */
const uuidV8 = (bytes: Buffer): string => {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};

let pool = '';
let drawn = 0;
/** Draws random hex digits in bulk: a system call per id would be noticeable on the append path. */
const drawRandom = (digits: number): string => {
  if (pool.length < drawn + digits) {
    pool = randomBytes(4_096).toString('hex');
    drawn = 0;
  }
  drawn += digits;
  return pool.slice(drawn - digits, drawn);
};

export const systemIds = {
  next: (): string => uuidV7(Date.now(), drawRandom(19)),
  derive: (...parts: readonly (string | number)[]): string =>
    uuidV8(createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, 16)),
};

/** Calls the work every `ms` milliseconds until the returned function is called. */
export const every = (ms: number, work: () => void): (() => void) => {
  const timer = setInterval(work, ms);
  return () => clearInterval(timer);
};

export const sha256Hex = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');
