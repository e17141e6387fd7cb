// `npm run kustomize`: writes deploy/kustomize/base from the Helm chart. Needs the packages of tools/chart.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { script } from '../shared/script.mjs';

script(
  'Usage: npm run kustomize\n\nWrites deploy/kustomize/base from the Helm chart. Run `npm ci` in tools/chart once before.',
);
const { baseFiles, baseFolder } = await import('./kustomize.mjs');
mkdirSync(baseFolder, { recursive: true });
for (const [name, contents] of Object.entries(baseFiles())) writeFileSync(join(baseFolder, name), contents);
