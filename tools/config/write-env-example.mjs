// `npm run env-example`: writes `.env.example` from the settings table. A test compares the two. Needs a build.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { envExample, settingsTable } from '../../libs/platform/dist/index.js';
import { workspaceRoot } from '../shared/workspace.mjs';

writeFileSync(join(workspaceRoot, '.env.example'), envExample(settingsTable));
