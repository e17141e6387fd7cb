import type { RecordConditions } from '@turnkeeper/application';
import { writeJson } from '@turnkeeper/domain';

/**
 * SQL for records `r` that meet conditions, and its parameters; the first one has number `first`. $1 is the tenant.
 */
export const conditionsOf = (
  conditions: RecordConditions,
  first: number,
): { readonly sql: string; readonly values: readonly unknown[] } => {
  const { strategyId, category, attribute, subject, sourceSessionId, sourceEventId, sourceMetadata } = conditions;
  const { saidFrom, saidTo, createdFrom, createdTo, eventTimeFrom, eventTimeTo } = conditions;
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
    // Not by a correlated subquery: Postgres would read all records of the memory.
    [
      (is) => `r.record_id in (select s.record_id from record_sources s where s.event_id = ${is} and s.tenant_id = $1)`,
      sourceEventId,
    ],
    [
      (is) => `exists (select from record_sources c join events e using (session_key, sequence, tenant_id)
                where c.record_id = r.record_id and c.tenant_id = r.tenant_id and not exists (
                  select from json_each_text(${is}::json) m
                  where (well_formed(e.data) -> 'metadata' ->> m.key) is distinct from m.value))`,
      sourceMetadata === undefined ? undefined : writeJson(sourceMetadata),
    ],
    [(is) => `r.stated_at >= ${is}::timestamptz`, saidFrom],
    [(is) => `r.stated_at <= ${is}::timestamptz`, saidTo],
    [(is) => `r.created_at >= ${is}::timestamptz`, createdFrom],
    [(is) => `r.created_at <= ${is}::timestamptz`, createdTo],
    [
      (is) =>
        `case when r.event_from is not null then coalesce(r.event_to, 'infinity') else r.event_to end >= ${is}::date`,
      eventTimeFrom,
    ],
    [
      (is) =>
        `case when r.event_to is not null then coalesce(r.event_from, '-infinity') else r.event_from end <= ${is}::date`,
      eventTimeTo,
    ],
  ];
  const given = all.filter(([, value]) => value !== undefined);
  return {
    sql: given.map(([sql], index) => ` and ${sql(`$${first + index}`)}`).join(''),
    values: given.map(([, value]) => value),
  };
};

/** Whether any condition is given. */
export const hasConditions = (conditions: RecordConditions): boolean => conditionsOf(conditions, 1).values.length > 0;
