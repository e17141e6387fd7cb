import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workspaceRoot } from '../shared/workspace.mjs';
import { buildSite, siteFolder } from './build.mjs';
import { MENU, addressOf, pagesOf } from './pages.mjs';

const read = (path) => readFileSync(join(workspaceRoot, path), 'utf8');
const pages = MENU.flatMap(pagesOf);
const everyPage = readdirSync(join(workspaceRoot, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md') && name !== 'index.md')
  .map((name) => `docs/${name}`);

const scripts = Object.keys(JSON.parse(read('package.json')).scripts);
const operations = Object.entries(JSON.parse(read('docs/openapi.json')).paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')}`),
);

/** `METHOD /path` of our own routes as a page names it: placeholders are equal, and a query is not part of the path. */
const routesNamed = (text) =>
  [...text.matchAll(/`?\b(GET|POST|PUT|PATCH|DELETE) (\/(?:v1|memory)\/[^\s`"'?)]*)/g)]
    .map(([, method, path]) => `${method} ${path.replace(/\{\w+\}/g, '{}').replace(/[.,;:]$/, '')}`)
    .filter((route) => !/…|\.\.\.|\$|\*/.test(route));

/** A page may give a value for a placeholder: `/v1/vendor-apps/agora/{appId}`. */
const isServed = (route) =>
  operations.some((operation) => {
    const [expected, named] = [operation.split('/'), route.split('/')];
    return expected.length === named.length && expected.every((part, at) => part === '{}' || part === named[at]);
  });

describe('the documentation site', () => {
  it('has every page of docs in its menu, once', () => {
    expect(everyPage.filter((page) => !pages.includes(page))).toEqual([]);
    expect(pages.filter((page, index) => pages.indexOf(page) !== index)).toEqual([]);
  });

  it('builds without a link to nowhere, and serves every page', async () => {
    const { code, output } = await buildSite();
    expect(code, output).toBe(0);
    const fileOf = (page) => {
      const address = addressOf(page);
      return join(siteFolder, address.endsWith('/') ? `${address}index.html` : `${address}.html`);
    };
    expect(['docs/index.md', ...pages].filter((page) => !existsSync(fileOf(page)))).toEqual([]);
  });

  /** The changelog names what earlier versions had. */
  it.each(pages.filter((page) => page !== 'CHANGELOG.md'))('names scripts and routes that exist: %s', (page) => {
    const text = read(page);
    const run = [...text.matchAll(/\bnpm run (?:-s )?([\w-]+)/g)].map(([, name]) => name);
    expect(run.filter((name) => !scripts.includes(name))).toEqual([]);
    expect(routesNamed(text).filter((route) => !isServed(route))).toEqual([]);
  });
});
