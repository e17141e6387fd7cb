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
