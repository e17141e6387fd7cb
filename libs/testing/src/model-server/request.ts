/** One message of the conversation, as shown to the model. */
export interface ShownMessage {
  /** `m1`, `m2` … for extraction, `c1` … for context only. */
  readonly id: string;
  readonly role: string;
  readonly text: string;
  readonly interrupted?: boolean;
}

/** One existing record as shown to the model, numbered from 1. */
interface ShownRecord {
  readonly record: number;
  readonly text: string;
}

/** A request as received by the stub. */
export interface ModelRequest {
  readonly path: string;
  readonly authorization: string | null;
  readonly body: Readonly<Record<string, unknown>>;
  readonly system: string;
  /** The messages to extract from. */
  readonly messages: readonly ShownMessage[];
  readonly context: readonly ShownMessage[];
  readonly existing: readonly ShownRecord[];
  readonly asksForSchema: boolean;
}

export const readRequest = (path: string, authorization: string | null, text: string): ModelRequest => {
  const body = JSON.parse(text) as Record<string, unknown>;
  const chat = (body['messages'] ?? []) as { role: string; content: string }[];
  const shown = chat
    .filter(({ role }) => role === 'user')
    .flatMap(({ content }) => content.split('\n'))
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as ShownMessage | ShownRecord);
  const messages = shown.filter((item): item is ShownMessage => 'id' in item);
  return {
    path,
    authorization,
    body,
    system: chat.find(({ role }) => role === 'system')?.content ?? '',
    messages: messages.filter(({ id }) => id.startsWith('m')),
    context: messages.filter(({ id }) => id.startsWith('c')),
    existing: shown.filter((item): item is ShownRecord => 'record' in item),
    asksForSchema: 'response_format' in body,
  };
};
