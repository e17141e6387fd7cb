/** A column of rows that a statement takes: its name, its type and its value in a row. */
type Column<Row> = readonly [name: string, type: string, valueOf: (row: Row) => unknown];

/** Rows as one array per column, which are the parameters of the statement. */
export const columnsOf = <Row>(columns: readonly Column<Row>[]) => {
  const names = columns.map(([name]) => name).join(', ');
  return {
    names,
    /** The rows as the table `t`. */
    t: `unnest(${columns.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ')}) as t(${names})`,
    valuesOf: (rows: readonly Row[]): unknown[] => columns.map(([, , valueOf]) => rows.map(valueOf)),
  };
};
