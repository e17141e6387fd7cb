// `npm run stop`: stops what `npm start` started. The data is kept.
import { existsSync } from 'node:fs';
import { script } from '../shared/script.mjs';
import { say } from '../shared/steps.mjs';
import { localSystem } from './state.mjs';
import { stopEverything } from './stop-everything.mjs';

script('Usage: npm run stop\n\nStops everything that npm start has started. The data stays in .turnkeeper/.');
const system = localSystem();
const stopped = existsSync(system.folder) ? await stopEverything(system) : [];
say(stopped.length > 0 ? `Stopped: ${stopped.join(', ')}.` : 'Nothing was running.');
