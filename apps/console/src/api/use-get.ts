import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api, ask, type Paths } from './client';

type Answer<P> = P extends { readonly get: { responses: { 200: { content: { 'application/json': infer Body } } } } }
  ? Body
  : never;
type Route = { [P in keyof Paths]: Answer<Paths[P]> extends never ? never : P }[keyof Paths];
type Parameters<P extends Route> = Paths[P] extends { readonly get: { readonly parameters: infer Given } }
  ? Given
  : never;
type Data<T> = { readonly state: { readonly data: T | undefined } };
type Input<P extends Route> = Omit<Parameters<P>, 'query'> & {
  readonly query?: Parameters<P> extends { readonly query?: infer Query }
    ? { readonly [Name in keyof Query]: Query[Name] | undefined }
    : undefined;
  readonly enabled?: boolean;
  readonly refetchInterval?: number | false | ((query: Data<Answer<Paths[P]>>) => number | false);
};

/** The answer of a GET route. Query parameters without a value are left out. */
export const useGet = <P extends Route>(
  queryKey: readonly unknown[],
  path: P,
  { query = {} as never, enabled = true, refetchInterval = false, ...rest }: Input<P> = {} as Input<P>,
): UseQueryResult<Answer<Paths[P]>> =>
  useQuery({
    queryKey,
    queryFn: () => {
      const given = Object.entries(query as object).filter(([, value]) => value !== undefined && value !== '');
      const params = { ...rest, query: Object.fromEntries(given) };
      return ask(api.GET(path as never, { params } as never)) as Promise<Answer<Paths[P]>>;
    },
    enabled,
    refetchInterval,
  });
