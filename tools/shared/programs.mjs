import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Places where servers live that a plain user's PATH often leaves out. */
const ALSO = [
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/sbin',
  '/usr/bin',
  '/opt/homebrew/bin',
  '/home/linuxbrew/.linuxbrew/bin',
];

/**
 * The first of these programs that can be run, as a full path.
 *
 * @param {readonly string[]} names best first
 * @param {{ path?: string, also?: readonly string[] }} [places]
 * @returns {string | undefined}
 */
export const findProgram = (names, { path = process.env.PATH ?? '', also = ALSO } = {}) => {
  const folders = [...path.split(delimiter).filter(Boolean), ...also];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
};

const isExecutable = (file) => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};
