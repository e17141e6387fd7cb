import type { RecordConditions } from '@turnkeeper/application';

/** SQL for records `r` that meet conditions, and its parameters; the first one has number `first`. */
export const conditionsOf = (
  conditions: RecordConditions,
  first: number,
): { readonly sql: string; readonly values: readonly unknown[] } => {
  const { strategyId, category, attribute, subject, sourceSessionId, saidFrom, saidTo } = conditions;
  const all: readonly (readonly [sql: (parameter: string) => string, value: unknown])[] = [
    [(is) => `r.strategy_id = ${is}::uuid`, strategyId],
    [(is) => `r.details ->> 'category' = ${is}`, category],
    [(is) => `r.details -> 'attribute' ->> 'name' = ${is}`, attribute],
    [(is) => `lower(r.details ->> 'subject') = lower(${is})`, subject],
    [
      (is) => `exists (select from record_sources c join sessions e using (session_key, tenant_id)
                where c.record_id = r.record_id and c.tenant_id = r.tenant_id and e.session_id = ${is})`,
      sourceSessionId,
    ],
    [(is) => `r.stated_at >= ${is}::timestamptz`, saidFrom],
    [(is) => `r.stated_at <= ${is}::timestamptz`, saidTo],
  ];
  const given = all.filter(([, value]) => value !== undefined);
  return {
    sql: given.map(([sql], index) => ` and ${sql(`$${first + index}`)}`).join(''),
    values: given.map(([, value]) => value),
  };
};

/** Whether any condition is given. */
export const hasConditions = (conditions: RecordConditions): boolean => conditionsOf(conditions, 1).values.length > 0;
