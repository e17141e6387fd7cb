// `npm start [-- --detach]`: the whole system on this machine. Imports only Node's own modules at the top, because
// packages might not be installed yet.
import { parseArgs } from 'node:util';
import { script } from '../shared/script.mjs';
import { say, tolerateClosedOutput } from '../shared/steps.mjs';
import { startDetached } from './detach.mjs';
import { runInForeground } from './foreground.mjs';
import { localSystem } from './state.mjs';

const USAGE = `Usage: npm start [-- --detach]

Starts the whole system on this machine, shows a first conversation, and stays up until Ctrl-C.

  --detach   return when it is ready and leave it running; npm run stop ends it

Settings are read from .env and the environment (.env.example lists them all). DATABASE_URL, NATS_URL and QUEUE_URL
name servers of your own; without them private ones are started. Data and logs are in .turnkeeper/.
`;
script(USAGE, { env: true });
tolerateClosedOutput();
const { values } = parseArgs({ options: { detach: { type: 'boolean', default: false } } });
const system = localSystem();
if (system.launcherRunning()) {
  const { url, launcher, ready } = system.read();
  const starting = `Turnkeeper is being started already (process ${launcher?.pid}).`;
  const ignored =
    'What was changed in .env or the environment since its start is ignored until `npm run stop` and `npm start`.';
  say(ready ? `Turnkeeper is running already: ${url}\n${ignored}` : starting);
} else {
  process.exit(await (values.detach ? startDetached(system) : runInForeground(system)));
}
