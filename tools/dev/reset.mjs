// `npm run reset`: stops everything and deletes the local data. Servers from the environment are not touched.
import { existsSync, rmSync } from 'node:fs';
import { composeRemove, engineAnswers } from '../servers/compose.mjs';
import { script } from '../shared/script.mjs';
import { say } from '../shared/steps.mjs';
import { localSystem } from './state.mjs';
import { stopEverything } from './stop-everything.mjs';

script('Usage: npm run reset\n\nStops everything that npm start has started, and deletes .turnkeeper/ with all data.');
const system = localSystem();
if (existsSync(system.folder)) {
  const { containers = [], outside = [] } = system.read();
  await stopEverything(system);
  if (containers.length > 0 && (await engineAnswers())) await composeRemove(system.folder);
  for (const folder of [...outside, system.folder]) rmSync(folder, { recursive: true, force: true });
  say(
    'Stopped everything and deleted .turnkeeper/. Servers given by DATABASE_URL, NATS_URL or QUEUE_URL keep their data.',
  );
} else {
  say('Nothing to delete.');
}
