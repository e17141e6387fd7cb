// `npm run env-example`: writes `.env.example` and the Helm chart's values.schema.json from the settings table. Tests
// compare them. Requires a build.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { envExample, settingsTable } from '../../libs/platform/dist/index.js';
import { writeValuesSchema } from '../chart/write-values-schema.mjs';
import { script } from '../shared/script.mjs';
import { workspaceRoot } from '../shared/workspace.mjs';

script(
  "Usage: npm run env-example\n\nWrites .env.example and the chart's values.schema.json from the settings. Needs a build.",
);
writeFileSync(join(workspaceRoot, '.env.example'), envExample(settingsTable));
writeValuesSchema(settingsTable);
