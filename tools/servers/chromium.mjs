import { findProgram } from '../shared/programs.mjs';
import { canInstall, installDebianPackage } from './debian.mjs';

const PROGRAMS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * The browser that the console is tested in. Installed from Debian packages if it is missing and we may.
 *
 * @param {(text: string) => void} note
 * @returns {Promise<string>} its path
 */
export const provideChromium = async (note) => {
  if (process.env.TK_CHROMIUM) return process.env.TK_CHROMIUM;
  const found = findProgram(PROGRAMS);
  if (found !== undefined) return found;
  const isInstalled = canInstall() && (await installDebianPackage(['chromium-headless-shell', 'chromium'], note));
  const installed = isInstalled ? findProgram(PROGRAMS) : undefined;
  if (installed === undefined)
    throw new Error(
      'The tests of the console need Chromium: install it (Debian: sudo apt-get install chromium; macOS: brew install --cask chromium), or set TK_CHROMIUM to its path.',
    );
  return installed;
};
