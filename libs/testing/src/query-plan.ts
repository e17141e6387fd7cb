/** A step of what `explain (analyze, format json)` returns. */
interface PlanNode {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** The row of `explain (analyze, format json)`. */
export interface ExplainedRow {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }];
}

const rowsOfSteps = (node: PlanNode): number[] => [
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
  ...(node.Plans ?? []).flatMap(rowsOfSteps),
];

/** Rows that each step of a statement has read, in all of its loops. */
export const rowsReadBySteps = ({ 'QUERY PLAN': [{ Plan }] }: ExplainedRow): readonly number[] => rowsOfSteps(Plan);
