// `npm start [-- --detach]`: the whole system on this machine. Only Node's own modules are imported up here, because
// nothing else may be installed yet.
import { parseArgs } from 'node:util';
import { say, tolerateClosedOutput } from '../shared/steps.mjs';
import { startDetached } from './detach.mjs';
import { runInForeground } from './foreground.mjs';
import { localSystem } from './state.mjs';

tolerateClosedOutput();
const { values } = parseArgs({ options: { detach: { type: 'boolean', default: false } } });
const system = localSystem();
if (system.launcherRunning()) {
  const { url, launcher, ready } = system.read();
  say(
    ready ? `Turnkeeper is running already: ${url}` : `Turnkeeper is being started already (process ${launcher.pid}).`,
  );
} else {
  process.exit(await (values.detach ? startDetached(system) : runInForeground(system)));
}
