import { InvalidCursor } from './cursor.js';

/**
 * The envelope of a list.
 *
 * @param found up to one row more than `limit`, which shows that another page follows
 * @param cursorOf the `after` value that continues behind a row
 */
export const listResponse = <T, R>(
  found: readonly T[],
  limit: number,
  row: (one: T) => R,
  cursorOf: (one: T) => string,
): { items: R[]; next: string | null } => {
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  return { items: page.map(row), next: last === undefined ? null : cursorOf(last) };
};

interface Bounded<T, R> {
  /** Sorted by `keyOf`. */
  readonly rows: readonly T[];
  readonly query: { readonly limit: number; readonly after?: string | undefined };
  /** Unique. */
  readonly keyOf: (one: T) => string;
  readonly order: 'ascending' | 'descending';
  readonly row: (one: T) => R;
}

/** The same for lists that are read whole because a tenant has few of these items. */
export const boundedListResponse = <T, R>({ rows, query: { limit, after }, keyOf, order, row }: Bounded<T, R>) => {
  const isBehind = (key: string, other: string): boolean => (order === 'ascending' ? key > other : key < other);
  const sorted = [...rows].sort((a, b) => (isBehind(keyOf(a), keyOf(b)) ? 1 : -1));
  const found = after === undefined ? sorted : sorted.filter((one) => isBehind(keyOf(one), after));
  return listResponse(found, limit, row, keyOf);
};

/** A composite cursor. */
export const cursorOfParts = (parts: readonly string[]): string =>
  Buffer.from(JSON.stringify(parts)).toString('base64url');

/** The values of a composite cursor; rejects anything `cursorOfParts` did not create. */
export const partsOfCursor = (cursor: string, count: number): readonly string[] => {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    throw new InvalidCursor();
  }
  const isMade = Array.isArray(parts) && parts.length === count && parts.every((part) => typeof part === 'string');
  if (!isMade) throw new InvalidCursor();
  return parts as string[];
};

/** AgentBase's paging envelope. */
export interface PageResponse<T> {
  readonly listData: T[];
  readonly page: number;
  readonly pageSize: number;
  readonly totalPage: number;
  readonly totalItem: number;
}

export const pageResponse = <T>(
  listData: T[],
  { page, size }: { readonly page: number; readonly size: number },
  totalItem: number,
): PageResponse<T> => ({ listData, page, pageSize: size, totalPage: Math.ceil(totalItem / size), totalItem });

/** The envelope of a listing that also takes a cursor; with a cursor, nothing is counted. */
export const cursorPageResponse = <T, C>(
  listData: T[],
  { page, size }: { readonly page: number; readonly size: number },
  totalItem: number | null,
  next: C | null,
) => ({
  listData,
  page,
  pageSize: size,
  totalPage: totalItem === null ? null : Math.ceil(totalItem / size),
  totalItem,
  next,
});
