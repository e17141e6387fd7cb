import { z } from 'zod';

/** Response of every list in Turnkeeper's own routes. */
export const listOf = <T extends z.ZodType>(row: T) =>
  z.object({
    items: z.array(row),
    next: z.string().nullable().describe('Send it as `after` to get the next page; null on the last page.'),
  });

/** AgentBase's paged response. */
export const pageOf = <T extends z.ZodType>(row: T) =>
  z.object({
    listData: z.array(row),
    page: z.int(),
    pageSize: z.int(),
    totalPage: z.int(),
    totalItem: z.int(),
  });

/** Response of a listing that also accepts a cursor; with a cursor, no total is counted. */
export const cursorPageOf = <T extends z.ZodType, C extends z.ZodType>(row: T, cursor: C) =>
  z.object({
    listData: z.array(row),
    page: z.int(),
    pageSize: z.int(),
    totalPage: z
      .int()
      .nullable()
      .describe('Null if `after` was given, because counting would cost more than the page.'),
    totalItem: z.int().nullable().describe('Null if `after` was given.'),
    next: cursor
      .nullable()
      .describe(
        'Send it as `after` to get the next page; null on the last page. A page with large rows may hold fewer than `size`.',
      ),
  });
