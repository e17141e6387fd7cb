import { escapeHtml as escape, pageOf, proseOf as prose } from './html.js';

type Json = { readonly [key: string]: unknown };

const refName = (schema: Json): string | null =>
  typeof schema['$ref'] === 'string' ? (schema['$ref'].split('/').at(-1) ?? null) : null;

/** A short description of a schema: `string, 1–255 characters`. */
const inWords = (schema: Json): string => {
  const name = refName(schema);
  if (name !== null) return `<a href="#schema-${escape(name)}">${escape(name)}</a>`;
  const choices = (schema['anyOf'] ?? schema['oneOf']) as readonly Json[] | undefined;
  if (choices !== undefined) return choices.map(inWords).join(' or ');
  if (schema['type'] === 'array') return `list of ${inWords((schema['items'] ?? {}) as Json)}${limits(schema)}`;
  if (Array.isArray(schema['enum'])) return schema['enum'].map((v) => `<code>${escape(v)}</code>`).join(' | ');
  const format = schema['format'] === undefined ? '' : ` (${escape(schema['format'])})`;
  return `${escape(schema['const'] ?? schema['type'] ?? 'anything')}${format}${limits(schema)}`;
};

const LIMITS: readonly (readonly [string, string])[] = [
  ['minimum', '≥ '],
  ['maximum', '≤ '],
  ['minLength', 'at least … characters'],
  ['maxLength', 'at most … characters'],
  ['minItems', 'at least … items'],
  ['maxItems', 'at most … items'],
  ['default', 'default '],
];
const limits = (schema: Json): string => {
  const said = LIMITS.flatMap(([key, words]) => {
    const value = schema[key];
    if (value === undefined || (key === 'minLength' && value === 0)) return [];
    const shown = typeof value === 'number' ? value.toLocaleString('en-US') : JSON.stringify(value);
    return [escape(words.includes('…') ? words.replace('…', shown) : `${words}${shown}`)];
  });
  return said.length === 0 ? '' : `, ${said.join(', ')}`;
};

const row = (name: string, where: string, schema: Json, required: boolean, description: unknown): string =>
  `<tr><td><code>${escape(name)}</code>${required ? '<b title="required">*</b>' : ''}</td><td>${escape(where)}</td>` +
  `<td>${inWords(schema)}</td><td>${prose(description ?? schema['description'])}</td></tr>`;

const table = (rows: readonly string[]): string =>
  rows.length === 0 ? '' : `<div class="wide"><table>${rows.join('')}</table></div>`;

/** The fields of an object, nested ones below their parents. */
const fields = (schema: Json, prefix = ''): string[] =>
  Object.entries((schema['properties'] ?? {}) as Record<string, Json>).flatMap(([name, property]) => {
    const required = ((schema['required'] ?? []) as readonly string[]).includes(name);
    const items = property['type'] === 'array' ? ((property['items'] ?? {}) as Json) : property;
    const suffix = property['type'] === 'array' ? '[]' : '';
    return [row(`${prefix}${name}`, '', property, required, undefined), ...fields(items, `${prefix}${name}${suffix}.`)];
  });

const shape = (schema: Json): string => {
  const choices = schema['anyOf'] as readonly Json[] | undefined;
  if (choices !== undefined) return choices.map(shape).join('<p class="or">or</p>');
  const rows = fields(schema);
  return rows.length > 0 ? table(rows) : `<p>${inWords(schema)}</p>`;
};

const contentOf = (part: unknown): Json | null => {
  const content = (part as { content?: Record<string, { schema: Json }> } | undefined)?.content;
  return content === undefined ? null : (Object.values(content)[0]?.schema ?? null);
};

const operation = (path: string, method: string, op: Json): string => {
  const parameters = ((op['parameters'] ?? []) as readonly Json[]).map((p) =>
    row(String(p['name']), String(p['in']), p['schema'] as Json, p['required'] === true, p['description']),
  );
  const body = contentOf(op['requestBody']);
  const responses = op['responses'] as Record<string, Json>;
  const [status = '', answer = {}] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? [];
  const result = contentOf(answer);
  const refusals = Object.keys(responses).filter((code) => !code.startsWith('2'));
  return `<details id="${escape(op['operationId'])}"><summary><span class="m ${method}">${method.toUpperCase()}</span>
<code>${escape(path)}</code> <span class="s">${prose(op['summary'])}</span></summary>
<div class="op"><p>${prose(op['description'])} Scope: <code>${escape(op['x-scope'] ?? 'none')}</code>. Operation:
<code>${escape(op['operationId'])}</code>.</p>
${parameters.length === 0 ? '' : `<h4>Parameters</h4>${table(parameters)}`}
${body === null ? '' : `<h4>Body</h4>${shape(body)}`}
<h4>Answer ${escape(status)}</h4>${result === null ? '<p>No body.</p>' : shape(result)}
<p class="s">Refusals: ${refusals.join(', ')}, as <a href="#schema-Problem">Problem</a>.</p></div></details>`;
};

/** The OpenAPI document as one readable page without scripts or external resources. */
export const docsPage = (document: Json): string => {
  const info = document['info'] as Json;
  const paths = Object.entries(document['paths'] as Record<string, Record<string, Json>>);
  const schemas = Object.entries((document['components'] as { schemas: Record<string, Json> }).schemas);
  const sections = (document['tags'] as readonly { readonly name: string }[]).map(({ name }) => {
    const operations = paths.flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, op]) => (op['tags'] as readonly string[]).includes(name))
        .map(([method, op]) => operation(path, method, op)),
    );
    return `<h2 id="tag-${escape(name)}">${escape(name)}</h2>${operations.join('')}`;
  });
  const links = (document['tags'] as readonly { readonly name: string }[])
    .map(({ name }) => `<a href="#tag-${escape(name)}">${escape(name)}</a>`)
    .join('');
  return pageOf(
    `${String(info['title'])} API`,
    `<h1>${escape(info['title'])} API</h1><p>${prose(info['summary'])} ${prose(info['description'])}</p>
<p>Send <code>Authorization: Bearer …</code> with an API key or a token. The same as a document for programs:
<a href="openapi.json">openapi.json</a>.</p><nav>${links}<a href="#schemas">Schemas</a><a href="/docs/errors">Errors</a></nav>
${sections.join('\n')}<h2 id="schemas">Schemas</h2>
${schemas
  .map(
    ([name, schema]) =>
      `<details id="schema-${escape(name)}"><summary><code>${escape(name)}</code> <span class="s">${prose(schema['description'])}</span></summary><div class="op">${shape(schema)}</div></details>`,
  )
  .join('\n')}`,
  );
};
