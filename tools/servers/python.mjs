import { run } from '../shared/command.mjs';
import { findProgram } from '../shared/programs.mjs';
import { canInstall, installDebianPackage } from './debian.mjs';

const PACKAGES = ['python3-venv', 'python3-httpx', 'python3-pytest', 'python3-setuptools', 'python3-wheel'];
const WANTED = 'import sys, ensurepip, httpx, pytest, setuptools, venv, wheel; assert sys.version_info >= (3, 11)';

/**
 * The Python that the tests of the Python package use. Its packages are installed from Debian if they are missing and we
 * may.
 *
 * @param {(text: string) => void} note
 * @returns {Promise<string>} its path
 */
export const providePython = async (note) => {
  if (process.env.TK_PYTHON) return process.env.TK_PYTHON;
  const found = await usable();
  if (found !== undefined) return found;
  if (canInstall()) for (const name of PACKAGES) await installDebianPackage([name], note);
  const installed = await usable();
  if (installed === undefined)
    throw new Error(
      `The tests of the Python package need Python 3.11 or later with httpx, pytest, setuptools and wheel: install them (Debian: sudo apt-get install ${PACKAGES.join(' ')}), or set TK_PYTHON to its path.`,
    );
  return installed;
};

/** Another Python can come before that of Debian in PATH. */
const usable = async () => {
  for (const program of new Set([findProgram(['python3']), '/usr/bin/python3'])) {
    if (program !== undefined && (await run(program, ['-c', WANTED])).code === 0) return program;
  }
  return undefined;
};
