/** A column of rows that a statement takes: its name, its type and its value in a row. */
type Column<Row> = readonly [name: string, type: string, valueOf: (row: Row) => unknown];

/** Rows as one array per column. @param from number of the first parameter */
export const columnsOf = <Row>(columns: readonly Column<Row>[], from = 1) => {
  const names = columns.map(([name]) => name).join(', ');
  return {
    names,
    /** The rows as the table `t`. */
    t: `unnest(${columns.map(([, type], index) => `$${index + from}::${type}[]`).join(', ')}) as t(${names})`,
    valuesOf: (rows: readonly Row[]): unknown[] => columns.map(([, , valueOf]) => rows.map(valueOf)),
  };
};
