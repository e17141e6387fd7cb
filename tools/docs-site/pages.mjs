import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '../shared/workspace.mjs';

/**
 * The site's pages: Markdown files of the repository, in the groups of its menu. Paths are relative to the root.
 *
 * @typedef {{ text: string, collapsed?: boolean, pages?: string[], folders?: string[] }} Group
 * @type {Group[]}
 */
export const MENU = [
  {
    text: 'Tutorials',
    pages: ['README.md', 'docs/start.md'],
  },
  {
    text: 'How to',
    pages: [
      'docs/short-term-memory.md',
      'docs/packages.md',
      'libs/client/README.md',
      'libs/python/README.md',
      'libs/short-term-memory/README.md',
      'libs/tools/README.md',
      'docs/mcp.md',
      'docs/langgraph.md',
      'docs/webhooks.md',
      'docs/subscribe.md',
      'docs/connectors.md',
      'docs/replay.md',
      'docs/rebuild.md',
      'docs/reliability.md',
    ],
    folders: ['docs/how-to', 'docs/platforms', 'docs/clients', 'docs/examples'],
  },
  {
    text: 'Operate',
    pages: [
      'docs/console.md',
      'docs/docker.md',
      'deploy/helm/turnkeeper/README.md',
      'deploy/kustomize/README.md',
      'docs/secrets.md',
      'SECURITY.md',
    ],
    folders: ['docs/operate'],
  },
  {
    text: 'Reference',
    pages: [
      'docs/api.md',
      'docs/strategies.md',
      'docs/settings.md',
      'docs/events.md',
      'docs/errors.md',
      'docs/metrics.md',
      'docs/tracing.md',
      'docs/licences.md',
      'CHANGELOG.md',
    ],
  },
  {
    text: 'Explanation',
    pages: ['docs/journey.md', 'docs/quality.md', 'docs/threat-model.md', 'bench/README.md', 'CONTRIBUTING.md'],
  },
  { text: 'Decisions', collapsed: true, folders: ['docs/adr'] },
];

const markdownIn = (folder) => {
  let names;
  try {
    names = readdirSync(join(workspaceRoot, folder));
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
  return names
    .filter((name) => name.endsWith('.md'))
    .sort((one, other) => Number(other === 'README.md') - Number(one === 'README.md') || (one < other ? -1 : 1))
    .map((name) => `${folder}/${name}`);
};

/** @param {Group} group @returns {string[]} the pages of one group of the menu */
export const pagesOf = ({ pages = [], folders = [] }) => [
  ...pages,
  ...folders.flatMap(markdownIn).filter((page) => !pages.includes(page)),
];

/** Where a page is served; `docs/adr/README.md` → `/docs/adr/`. */
export const addressOf = (page) => {
  if (page === 'docs/index.md') return '/';
  if (page === 'README.md') return '/readme';
  return `/${page.replace(/\.md$/, '').replace(/(^|\/)README$/, '$1')}`;
};

export const titleOf = (page) =>
  (page === 'README.md' ? 'Overview' : undefined) ??
  /^# (.+)$/m.exec(readFileSync(join(workspaceRoot, page), 'utf8'))?.[1].replaceAll('`', '') ??
  page;

/** VitePress's rewrites: file → file that names the address. */
export const rewrites = () =>
  Object.fromEntries(
    ['docs/index.md', ...MENU.flatMap(pagesOf)]
      .map((page) => [page, addressOf(page)])
      .map(([page, address]) => [
        page,
        address.endsWith('/') ? `${address.slice(1)}index.md` : `${address.slice(1)}.md`,
      ])
      .filter(([page, to]) => page !== to),
  );
