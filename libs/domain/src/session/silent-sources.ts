/** Sources of messages that the voice platform generates or that we insert: they contain no facts about the user. */
const SILENT_SOURCES: ReadonlySet<string> = new Set(['greeting', 'silence', 'llm_failure', 'memory']);

/** Whether a message with this `source` contains no facts. Null means that the message has no source. */
export const isSilentSource = (source: string | null): boolean => source !== null && SILENT_SOURCES.has(source);
