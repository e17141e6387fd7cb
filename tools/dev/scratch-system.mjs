import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ownIdentity } from '../shared/process-identity.mjs';
import { workspaceRoot } from '../shared/workspace.mjs';
import { localSystem } from './state.mjs';
import { stopProcesses } from './stop-everything.mjs';

/**
 * A local system of one run of a bench, drill or test, in a folder under `tmp`. A run that does not get the folder
 * touches nothing of the run that has it.
 *
 * @param {string} name of the folder
 */
export const scratchSystem = (name) => {
  const system = localSystem(join(workspaceRoot, 'tmp', name));
  let isOurs = false;
  const stop = async () => {
    if (isOurs) await stopProcesses(system);
  };
  const removeData = () => {
    const folders = isOurs ? [...(system.read().outside ?? []), system.folder] : [];
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  };
  return {
    ...system,
    /** Whether this process has the folder. */
    isOurs: () => isOurs,
    stop,
    removeData,
    /**
     * Takes the folder for this process. Stops and deletes what a killed run left there.
     *
     * @param {() => Promise<unknown>} [stopLeft]
     */
    claim: async (stopLeft = stop) => {
      if (system.launcherRunning()) throw new Error(`Another run uses tmp/${name}.`);
      isOurs = true;
      await stopLeft();
      removeData();
      system.change({ launcher: ownIdentity() });
    },
  };
};
