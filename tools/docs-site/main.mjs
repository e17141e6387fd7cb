// `npm run docs-site`: builds the documentation as a site into dist/docs-site.
import { relative } from 'node:path';
import { script } from '../shared/script.mjs';
import { say } from '../shared/steps.mjs';
import { workspaceRoot } from '../shared/workspace.mjs';
import { buildSite, siteFolder } from './build.mjs';

script(
  'Usage: npm run docs-site\n\nBuilds README, docs and the decisions as a static site with search, into dist/docs-site.',
);
const { code, output } = await buildSite();
say(
  code === 0 ? `The site is in ${relative(workspaceRoot, siteFolder)}; any static file server can serve it.` : output,
);
process.exit(code);
