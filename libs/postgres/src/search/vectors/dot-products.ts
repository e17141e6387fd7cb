/** Vectors and questions are filled up with zeros to a multiple of this. */
export const LANES = 16;

const PAGE = 65_536;
/** Vectors that are compared in one call: so many stay in the CPU's cache. */
const VECTORS = { at: 0, bytes: 16 * PAGE };
/** 32,768 numbers of 16 bits. */
const QUESTION = { at: VECTORS.bytes, bytes: PAGE };
const PRODUCTS = { at: QUESTION.at + QUESTION.bytes, bytes: 4 * (VECTORS.bytes / LANES) };

const get = (local: number): number[] => [0x20, local];
const set = (local: number): number[] => [0x21, local];
const tee = (local: number): number[] => [0x22, local];
const constant = (value: number): number[] => [0x41, value];
const [ADD, SHIFT_LEFT, IS_BELOW, END] = [0x6a, 0x74, 0x49, 0x0b];
const LOOP = [0x03, 0x40];
const REPEAT_IF = [0x0d, 0x00];
const [ZEROS, ADD_FOUR] = [
  [0xfd, 0x0c, ...Array<number>(16).fill(0)],
  [0xfd, 0xae, 0x01],
];
const lane = (index: number): number[] => [0xfd, 0x1b, index];

const [VECTOR, ASKED, PRODUCT, LAST, SIZE, PART, SUM] = [0, 1, 2, 3, 4, 5, 6];
/** Eight products, added in pairs to the four sums: 8 bits of the vector are widened to the 16 of the question. */
const eight = (offset: number): number[] => [
  ...[...get(VECTOR), ...get(PART), ADD, 0xfd, 0x01, 3, offset],
  ...[...get(ASKED), ...get(PART), ...constant(1), SHIFT_LEFT, ADD, 0xfd, 0x00, 4, 2 * offset],
  ...[0xfd, 0xba, 0x01, ...ADD_FOUR],
];
const CODE = [
  ...LOOP,
  ...[...ZEROS, ...set(SUM), ...constant(0), ...set(PART)],
  ...[...LOOP, ...get(SUM), ...eight(0), ...eight(8), ...set(SUM)],
  ...[...get(PART), ...constant(LANES), ADD, ...tee(PART), ...get(SIZE), IS_BELOW, ...REPEAT_IF, END],
  ...[...get(PRODUCT), ...get(SUM), ...lane(0), ...[1, 2, 3].flatMap((index) => [...get(SUM), ...lane(index), ADD])],
  ...[0x36, 2, 0, ...get(PRODUCT), ...constant(4), ADD, ...set(PRODUCT)],
  ...[...get(VECTOR), ...get(SIZE), ADD, ...tee(VECTOR), ...get(LAST), IS_BELOW, ...REPEAT_IF, END],
  END,
];
/** A number below 16,384 in two bytes (LEB128). */
const length = (bytes: readonly number[]): number[] => [(bytes.length & 0x7f) | 0x80, bytes.length >> 7];
const sized = (bytes: readonly number[]): number[] => [...length(bytes), ...bytes];
const [I32, V128] = [0x7f, 0x7b];
const PAGES = (PRODUCTS.at + PRODUCTS.bytes) / PAGE;

/**
 * A module with one function over its memory, in WebAssembly: it has instructions on many numbers at once (SIMD), which
 * JavaScript lacks. This runs for every vector in every search.
 */
const MODULE = Uint8Array.from([
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  ...[1, ...sized([1, 0x60, 5, I32, I32, I32, I32, I32, 0])],
  ...[3, ...sized([1, 0])],
  ...[5, ...sized([1, 0, PAGES])],
  ...[7, ...sized([2, 6, ...Buffer.from('memory'), 2, 0, 4, ...Buffer.from('dots'), 0, 0])],
  ...[10, ...sized([1, ...sized([2, 1, I32, 1, V128, ...CODE])])],
]);

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  dots(vector: number, asked: number, product: number, last: number, size: number): void;
}
// Node has it; TypeScript declares it for browsers only.
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};
const { memory, dots } = new WebAssembly.Instance(new WebAssembly.Module(MODULE)).exports as Exports;

/** Number of vectors that are compared in one call, at most. */
export const vectorsAtOnce = (size: number): number => Math.floor(VECTORS.bytes / size);

/**
 * The scalar products of a question with vectors, which lie one after the other. They are valid until the next call.
 *
 * @param asked its length is a multiple of `LANES`, and that of `vectors` a multiple of its length
 */
export const dotProducts = (asked: Int16Array, vectors: Int8Array): Int32Array => {
  const count = vectors.length / asked.length;
  const products = new Int32Array(memory.buffer, PRODUCTS.at, count);
  if (count === 0) return products;
  new Int8Array(memory.buffer, VECTORS.at).set(vectors);
  new Int16Array(memory.buffer, QUESTION.at).set(asked);
  dots(VECTORS.at, QUESTION.at, PRODUCTS.at, VECTORS.at + vectors.length, asked.length);
  return products;
};
