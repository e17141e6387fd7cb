import pg from 'pg';

/**
 * Every object of the public schema as text, in a stable order: the result of the migrations, for readers and for
 * comparison in a test. Excludes tables named `…_migrations`, which belong to the migration runner.
 */
export const describeSchema = async (databaseUrl: string): Promise<string> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const sections: string[] = [];
    for (const [title, text] of QUERIES) {
      const { rows } = await client.query<{ line: string }>(text);
      sections.push(`-- ${title}\n\n${rows.map((row) => row.line).join('\n')}\n`);
    }
    return sections.join('\n');
  } finally {
    await client.end();
  }
};

const TABLES = `select oid, relname from pg_class
  where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like '%\\_migrations'`;

const QUERIES: readonly (readonly [string, string])[] = [
  [
    'Columns',
    // 100 is the default collation of the database.
    `select format('%s.%s %s%s%s%s', t.relname, a.attname, format_type(a.atttypid, a.atttypmod),
         case when a.attcollation not in (0, 100) then format(' collate %I', n.collname) else '' end,
         case when a.attnotnull then ' not null' else '' end,
         case a.attidentity when 'a' then ' generated always as identity' else
           coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') end) as line
     from (${TABLES}) t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
     left join pg_collation n on n.oid = a.attcollation
     left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum
     order by t.relname, a.attnum`,
  ],
  [
    'Constraints',
    // From Postgres 18 on, not-null constraints have names. The columns already show them.
    `select format('alter table %s add constraint %s %s;', t.relname, c.conname, pg_get_constraintdef(c.oid)) as line
     from (${TABLES}) t join pg_constraint c on c.conrelid = t.oid and c.contype <> 'n'
     order by t.relname, c.conname`,
  ],
  [
    'Indexes',
    `select pg_get_indexdef(i.indexrelid) || ';' as line
     from (${TABLES}) t join pg_index i on i.indrelid = t.oid
     where not exists (select from pg_constraint c where c.conindid = i.indexrelid)
     order by line`,
  ],
  [
    'Triggers',
    `select pg_get_triggerdef(g.oid) || ';' as line
     from (${TABLES}) t join pg_trigger g on g.tgrelid = t.oid and not g.tgisinternal
     order by line`,
  ],
  [
    'Functions',
    `select pg_get_functiondef(oid) as line from pg_proc where pronamespace = 'public'::regnamespace order by proname, oid::regprocedure::text collate "C"`,
  ],
];
