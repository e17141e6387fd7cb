import { sha256Hex } from '@turnkeeper/platform';

/** Stands for an id that may name a person. Equal ids have equal hashes, in the access log and in the audit log. */
export const personalHash = (id: string): string => `~${sha256Hex(id).slice(0, 16)}`;
