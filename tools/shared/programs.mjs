import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Folders with servers that are often missing from a user's PATH. */
const ALSO = [
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/sbin',
  '/usr/bin',
  '/opt/homebrew/bin',
  '/home/linuxbrew/.linuxbrew/bin',
];

/**
 * The first of these programs that is executable, as a full path.
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
