import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { workspaceRoot } from '../shared/workspace.mjs';

const OWNER = 'libs/postgres/';
const read = (path) => readFileSync(join(workspaceRoot, path), 'utf8');

/** The tables of the schema, and the functions of its migrations. */
const names = new Set([
  ...[...read(`${OWNER}schema.sql`).matchAll(/^(\w+)\.\w+ /gm)].map(([, table]) => table),
  ...readdirSync(join(workspaceRoot, OWNER, 'migrations')).flatMap((file) =>
    [...read(`${OWNER}migrations/${file}`).matchAll(/create (?:or replace )?function (\w+)/gi)].map(([, name]) => name),
  ),
]);

const VERBS = 'select|with|insert into|update|delete from|truncate|lock|copy|create|alter|drop';
const STATEMENT = new RegExp(`^\\s*(?:${VERBS})\\b`);
/** Most sources hold none, and parsing them all takes seconds. */
const MAY_HOLD_ONE = new RegExp(`['"\`]\\s*(?:${VERBS})\\b`);

/** Tables and functions of the schema that SQL statements of a source name. */
const reached = (text) => {
  const found = [];
  if (!MAY_HOLD_ONE.test(text)) return found;
  const visit = (node) => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      const sql = node.getText().slice(1, -1);
      if (STATEMENT.test(sql)) {
        found.push(
          ...[...sql.matchAll(/\b(?:from|join|into|update|table|truncate|only|lock|select)\s+"?(\w+)/g)]
            .map(([, name]) => name)
            .filter((name) => names.has(name)),
        );
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true));
  return found;
};

const sources = ['libs', 'apps']
  .flatMap((folder) =>
    readdirSync(join(workspaceRoot, folder), { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? [relative(workspaceRoot, join(entry.parentPath, entry.name))] : [],
    ),
  )
  .filter((path) => /\/src\/.*\.ts$/.test(path) && !/node_modules|dist\/|\.spec\.ts$|\/testing\/|apps\/e2e/.test(path))
  .filter((path) => !path.startsWith(OWNER) && !path.startsWith('libs/testing/'));

it('only the database library reaches its tables and functions', () => {
  expect(names.size).toBeGreaterThan(80);
  expect(sources.length).toBeGreaterThan(500);
  const found = sources.flatMap((path) => reached(read(path)).map((name) => `${path}: ${name}`));
  expect(found).toEqual([]);
}, 60_000);

it('finds statements in strings and templates, and not in other texts', () => {
  expect(reached("run('select 1 from events');")).toEqual(['events']);
  expect(reached('run(`with gone as (delete from sessions where a = ${1}) select from gone`);')).toEqual(['sessions']);
  expect(reached("run('select applied, newest from applied_migrations()');")).toEqual(['applied_migrations']);
  expect(reached("run('select pg_advisory_lock(1)'); const summary = 'Read from events.';")).toEqual([]);
});
