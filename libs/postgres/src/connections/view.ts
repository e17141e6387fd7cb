const fieldOf = (column: string): string => column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** A row as the application names it: columns in camel case, times in ISO 8601. The caller knows its columns. */
export const viewOf = <V>(row: object): V =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]: [string, unknown]) => [
      fieldOf(column),
      value instanceof Date ? value.toISOString() : value,
    ]),
  ) as V;
