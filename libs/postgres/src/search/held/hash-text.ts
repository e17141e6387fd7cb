/** A 64-bit hash as two unsigned halves. */
export interface Hash64 {
  readonly high: number;
  readonly low: number;
}

const START = 0x9e3779b9 + 3_923_095;
const UTF8 = new TextEncoder();

/**
 * Postgres' `hashtextextended(text, seed)`: Bob Jenkins' lookup3, as in `hash_bytes_extended` of `hashfn.c` on a
 * little-endian server. The turn index stores words as these hashes, so a process that holds an index in memory can look
 * words up without asking Postgres for their hashes.
 */
export const hashText = (text: string, seed: Hash64): Hash64 => {
  const bytes = UTF8.encode(text);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let a = (START + bytes.length) | 0;
  let b = a;
  let c = a;
  const mix = (): void => {
    a = (a - c) ^ rotated(c, 4);
    c = (c + b) | 0;
    b = (b - a) ^ rotated(a, 6);
    a = (a + c) | 0;
    c = (c - b) ^ rotated(b, 8);
    b = (b + a) | 0;
    a = (a - c) ^ rotated(c, 16);
    c = (c + b) | 0;
    b = (b - a) ^ rotated(a, 19);
    a = (a + c) | 0;
    c = (c - b) ^ rotated(b, 4);
    b = (b + a) | 0;
  };
  if (seed.high !== 0 || seed.low !== 0) {
    a = (a + seed.high) | 0;
    b = (b + seed.low) | 0;
    mix();
  }
  let at = 0;
  for (; bytes.length - at >= 12; at += 12) {
    a = (a + view.getUint32(at, true)) | 0;
    b = (b + view.getUint32(at + 4, true)) | 0;
    c = (c + view.getUint32(at + 8, true)) | 0;
    mix();
  }
  for (let rest = 0; at + rest < bytes.length; rest += 1) {
    const byte = bytes[at + rest] ?? 0;
    if (rest < 4) a = (a + (byte << (8 * rest))) | 0;
    else if (rest < 8) b = (b + (byte << (8 * (rest - 4)))) | 0;
    // The lowest byte of `c` is reserved for the length.
    else c = (c + (byte << (8 * (rest - 7)))) | 0;
  }
  c = (c ^ b) - rotated(b, 14);
  a = (a ^ c) - rotated(c, 11);
  b = (b ^ a) - rotated(a, 25);
  c = (c ^ b) - rotated(b, 16);
  a = (a ^ c) - rotated(c, 4);
  b = (b ^ a) - rotated(a, 14);
  c = (c ^ b) - rotated(b, 24);
  return { high: b >>> 0, low: c >>> 0 };
};

const rotated = (value: number, by: number): number => (value << by) | (value >>> (32 - by));

/** The seed of a memory's words: the SQL function `turn_memory`. */
export const memorySeed = (tenantId: string, memoryId: string): Hash64 =>
  hashText(memoryId, hashText(tenantId, { high: 0, low: 0 }));

/** The lowest 53 bits, which a number holds exactly: `hash & 9007199254740991` in SQL. */
export const wordKey = ({ high, low }: Hash64): number => (high & 0x1f_ffff) * 0x1_0000_0000 + low;
