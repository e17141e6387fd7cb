import type { z } from 'zod';

/** A setting: its schema (including the default), its meaning, and whether its value may be shown. */
export interface Setting<S extends z.ZodType = z.ZodType> {
  readonly schema: S;
  readonly about: string;
  readonly secret?: boolean;
  /** Example value in `.env.example`, if the schema has no default. */
  readonly example?: string;
}

export const setting = <S extends z.ZodType>(
  schema: S,
  about: string,
  more: Pick<Setting, 'secret' | 'example'> = {},
): Setting<S> => ({ schema, about, ...more });

export type SettingsTable = Readonly<Record<string, Setting>>;
export type SettingsOf<T extends SettingsTable> = { readonly [K in keyof T]: z.infer<T[K]['schema']> };

/** A setting is missing or invalid. Names the variable and the rule, never the value. */
export class InvalidSettings extends Error {
  constructor(readonly problems: readonly { readonly name: string; readonly rule: string }[]) {
    super(`Settings that stop the start: ${problems.map((p) => `${p.name} ${p.rule}`).join('; ')}`);
    this.name = 'InvalidSettings';
  }
}

/** Lists the options for an enum. Other rules have their own message. */
const ruleOf = (issue: z.core.$ZodIssue): string =>
  issue.code === 'invalid_value' ? `must be one of ${issue.values.map(String).join(', ')}` : issue.message;

/** Reads the settings of a table from an environment. An empty value counts as unset. */
export const readSettings = <T extends SettingsTable>(
  table: T,
  environment: Readonly<Record<string, string | undefined>>,
): SettingsOf<T> => {
  const problems: { name: string; rule: string }[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, { schema }] of Object.entries(table)) {
    const given = environment[name];
    const result = schema.safeParse(given === '' ? undefined : given);
    if (result.success) values[name] = result.data;
    else {
      const missing = given === undefined || given === '';
      const rules = new Set(missing ? ['is required'] : result.error.issues.map(ruleOf));
      problems.push({ name, rule: [...rules].join(', ') });
    }
  }
  if (problems.length > 0) throw new InvalidSettings(problems);
  return values as SettingsOf<T>;
};

/** Contents of the start-up log line: every value, secrets only as set or unset, URLs without user and password. */
export const describeSettings = <T extends SettingsTable>(table: T, values: SettingsOf<T>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(table).map(([name, { secret }]) => {
      const value = values[name];
      if (secret === true) return [name, value === undefined ? 'unset' : 'set'];
      return [name, typeof value === 'string' ? value.replace(CREDENTIALS, '//') : (value ?? 'unset')];
    }),
  );

const CREDENTIALS = /\/\/[^/]*@/g;

/** Contents of `.env.example`: every setting with its meaning and default. */
export const envExample = (table: SettingsTable): string => {
  const blocks = Object.entries(table).map(([name, { schema, about, example = '' }]) => {
    const fallback = schema.safeParse(undefined);
    const value = fallback.success && fallback.data !== undefined ? String(fallback.data) : example;
    return `# ${about}\n#${name}=${value}\n`;
  });
  return `# Every setting with its default or an example. Copy this file to .env and uncomment what you change.\n# DATABASE_URL_FILE, NATS_URL_FILE, QUEUE_URL_FILE, LLM_API_KEY_FILE and the like name files that hold the value.\n# Generated from libs/platform/src/config/settings.ts; a test compares the two.\n\n${blocks.join('\n')}`;
};
