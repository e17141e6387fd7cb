import type { RouteSpec } from '../routes/index.js';
import { TAG_DESCRIPTIONS } from './tags.js';

/** Contents of docs/api.md: every route of our own with its scope, by tag. */
export const apiMarkdown = (routes: readonly RouteSpec[]): string =>
  `${[
    '# API',
    '',
    'Every route of our own, with the scope that its key needs. A running ingest serves the interactive reference with all',
    'fields at `/docs` and the OpenAPI 3.1 document at `/openapi.json`. This page is generated from the route table',
    '(`npm run docs`).',
    ...Object.entries(TAG_DESCRIPTIONS).flatMap(([tag, description]) => tableOf(routes, tag, description)),
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
