import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

/** The filters of a page, as encoded in its URL. */
export type Filters = Readonly<Record<string, string | undefined>>;

/** Strings only: the router's own parser would turn the query `123` into a number. */
export const parseFilters = (text: string): Filters => Object.fromEntries(new URLSearchParams(text));

export const stringifyFilters = (filters: Readonly<Record<string, unknown>>): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) {
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
};

/** The filters and a function that changes some of them; a change starts again at the first page. */
export const useFilters = (): [Filters, (changes: Filters, options?: { replace?: boolean }) => void] => {
  const filters: Filters = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = useCallback(
    (changes: Filters, options: { replace?: boolean } = {}) =>
      void navigate({
        to: '.',
        search: (before: Filters) => ({ ...before, page: undefined, after: undefined, ...changes }),
        replace: options.replace ?? false,
      } as never),
    [navigate],
  );
  return [filters, change];
};

export const pageOf = (filters: Filters): number => Math.max(1, Math.trunc(Number(filters['page'] ?? 1)) || 1);
