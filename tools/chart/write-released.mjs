// `npm run chart-released`: records the chart as released, for the test of the upgrade from it.
import { writeFileSync } from 'node:fs';
import { script } from '../shared/script.mjs';

script(
  'Usage: npm run chart-released\n\nRecords the Helm chart as the last release. Run `npm ci` in tools/chart once before.',
);
const { releaseFiles } = await import('./upgrade.mjs');
for (const [path, contents] of Object.entries(releaseFiles())) writeFileSync(path, contents);
