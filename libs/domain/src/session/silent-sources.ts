/** Sources that a voice platform speaks or notes by itself, or that we put in: they say nothing about the user. */
const SILENT_SOURCES: ReadonlySet<string> = new Set(['greeting', 'silence', 'llm_failure', 'memory']);

/** Whether a message with this `source` carries no facts; null is a message without a source. */
export const isSilentSource = (source: string | null): boolean => source !== null && SILENT_SOURCES.has(source);
