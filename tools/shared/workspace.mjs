import { fileURLToPath } from 'node:url';

/** The repository root, without a trailing slash. */
export const workspaceRoot = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '');
