import { AUTH_ROUTES, TAG_DESCRIPTIONS, type RouteSpec } from '@turnkeeper/contracts';
import { OUR_ROUTES } from '@turnkeeper/vendors';

/** Contents of docs/api.md: every route of our own with its scope, by tag. */
export const apiMarkdown = (): string =>
  `${[
    '# API',
    '',
    'Every route of our own, with the scope that its key needs. A running ingest serves the interactive reference with all',
    'fields at `/docs` and the OpenAPI 3.1 document at `/openapi.json`. This page is generated from the route table',
    '(`npm run docs`).',
    '',
    'Integers of any length in metadata, params, labels, tool calls and values of the graph store are stored and returned',
    'with every digit, also in streams, exports, webhooks and NATS messages, and filters compare them exactly. They may',
    'be as large as a double (1.8e308). Numbers with a fraction or an exponent are IEEE 754 doubles. Where a field is',
    'text, such as an id, an integer beyond 2^53 is accepted and becomes its digits. A client whose JSON parser has',
    'only doubles, as `JSON.parse` of JavaScript, rounds integers beyond 2^53: send those as text.',
    ...Object.entries(TAG_DESCRIPTIONS).flatMap(([tag, description]) =>
      tableOf([...OUR_ROUTES, ...AUTH_ROUTES], tag, description),
    ),
  ].join('\n')}\n`;

const tableOf = (all: readonly RouteSpec[], tag: string, description: string): string[] => {
  const routes = all.filter((route) => route.tag === tag);
  if (routes.length === 0) return [];
  return ['', `## ${tag}`, '', description, '', '| route | scope | |', '| --- | --- | --- |', ...routes.map(rowOf)];
};

const scopeOf = ({ scope, credential }: RouteSpec): string =>
  scope === null ? (credential === 'any' ? 'any' : '–') : `\`${scope}\``;

const rowOf = (route: RouteSpec): string =>
  `| \`${route.method} ${route.path}\` | ${scopeOf(route)} | ${route.summary.replaceAll('|', '\\|').replaceAll('<', '&lt;')} |`;
