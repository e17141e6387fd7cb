import { defineConfig } from 'vitepress';
import { workspaceRoot } from '../../shared/workspace.mjs';
import { repositoryLinks } from '../links.mjs';
import { MENU, addressOf, pagesOf, rewrites, titleOf } from '../pages.mjs';
import { relative } from 'node:path';

const pages = new Set(['docs/index.md', ...MENU.flatMap(pagesOf)]);

export default defineConfig({
  title: 'Turnkeeper',
  description: 'Self-hosted, event-sourced memory for conversational agents',
  lang: 'en-GB',
  srcDir: workspaceRoot,
  srcExclude: [
    'apps/**',
    'libs/*/!(README.md)',
    'libs/*/*/**',
    'tools/**',
    'examples/**',
    'tmp/**',
    'dist/**',
    '.*/**',
  ],
  outDir: `${workspaceRoot}/dist/docs-site`,
  rewrites: rewrites(),
  cleanUrls: true,
  markdown: {
    config: (md) => {
      md.core.ruler.before('normalize', 'page-path', ({ env }) => {
        env.path = env.realPath === undefined ? env.relativePath : relative(workspaceRoot, env.realPath);
      });
      repositoryLinks(pages)(md);
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Start', link: '/docs/start' },
      { text: 'API', link: '/docs/api' },
      { text: 'Settings', link: '/docs/settings' },
      { text: 'Errors', link: '/docs/errors' },
      { text: 'Decisions', link: '/docs/adr/' },
    ],
    sidebar: MENU.map((group) => ({
      text: group.text,
      collapsed: group.collapsed ?? false,
      items: pagesOf(group).map((page) => ({ text: titleOf(page), link: addressOf(page) })),
    })),
  },
});
