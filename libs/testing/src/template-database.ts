import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { testServers } from './servers.js';

/**
 * Fills an empty database, as its owner. Every copy has what it returns as its note. Its name and the migrations identify
 * the template.
 */
export type Fill = (ownerUrl: string) => Promise<unknown>;

type CreateOwner = (client: pg.Client, name: string, password: string) => Promise<void>;

export interface Template {
  readonly name: string;
  /** Owns the tables. A copy's owner takes them over. */
  readonly owner: string;
  readonly note: string | null;
}

const MIGRATIONS = fileURLToPath(new URL('../../postgres/migrations/', import.meta.url));
/** Of the first process that needs the template; the others wait. */
const LOCK = 7_241_865_002;

/** The template of these migrations, which the first caller creates. It stays on the server for later runs. */
export const templateOf = async (client: pg.Client, fill: Fill, createOwner: CreateOwner): Promise<Template> => {
  const name = `tk_template_${await hashOf(fill.name)}`;
  const owner = `${name}_owner`;
  const find = async (): Promise<Template | null> => {
    const { rows } = await client.query<{ note: string | null }>(
      `select shobj_description(oid, 'pg_database') as note from pg_database where datname = $1`,
      [name],
    );
    return rows[0] === undefined ? null : { name, owner, note: rows[0].note };
  };
  const found = await find();
  if (found !== null) return found;
  await client.query('select pg_advisory_lock($1)', [LOCK]);
  try {
    return (await find()) ?? (await create(client, { name, owner, fill, createOwner }));
  } finally {
    await client.query('select pg_advisory_unlock($1)', [LOCK]);
  }
};

const create = async (
  client: pg.Client,
  { name, owner, fill, createOwner }: { name: string; owner: string; fill: Fill; createOwner: CreateOwner },
): Promise<Template> => {
  const unfinished = `${name}_unfinished`;
  const password = randomBytes(12).toString('hex');
  // Of a run that was killed meanwhile.
  await client.query(`drop database if exists ${unfinished} with (force)`);
  await client.query(`drop role if exists ${owner}`);
  await createOwner(client, owner, password);
  await client.query(`create database ${unfinished} owner ${owner}`);
  const url = new URL(testServers.database());
  Object.assign(url, { pathname: `/${unfinished}`, username: owner, password });
  const said = await fill(url.href);
  const note = typeof said === 'string' ? said : null;
  // The role would take the template itself along when a copy's tables change hands.
  await client.query(`alter database ${unfinished} owner to current_user`);
  if (note !== null) await client.query(`comment on database ${unfinished} is '${note.replaceAll("'", "''")}'`);
  await client.query(`alter database ${unfinished} rename to ${name}`);
  return { name, owner, note };
};

/** Of the name and the migrations. */
const hashOf = async (text: string): Promise<string> => {
  const hash = createHash('sha256').update(text);
  for (const file of (await readdir(MIGRATIONS)).toSorted()) hash.update(await readFile(MIGRATIONS + file));
  return hash.digest('hex').slice(0, 12);
};
