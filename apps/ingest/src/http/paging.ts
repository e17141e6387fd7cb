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

/** The envelope of a listing that also takes a cursor; behind a cursor nothing is counted. */
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
