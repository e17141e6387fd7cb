import { fileURLToPath } from 'node:url';

/** The repository's root, with no slash at the end. */
export const workspaceRoot = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '');
