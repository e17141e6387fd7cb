import { EVENT_SCHEMAS } from '@turnkeeper/contracts';
import { EVENT_TRAITS, PROJECTION_OF, type EventType } from '@turnkeeper/domain';
import { z } from 'zod';

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly $ref?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** The meaning of each event type, in one sentence. */
const MEANINGS: { readonly [T in EventType]: string } = {
  'memory.created': 'A memory was created with its first strategies.',
  'memory.described': "A memory's description changed.",
  'memory.renamed': "A memory's name changed.",
  'memory.expiry_changed': 'How long events stay readable changed.',
  'memory.deleted': 'A memory was deleted; its data is purged.',
  'strategy.added': 'A strategy was added to a memory.',
  'strategy.revised': 'A strategy changed, which created its next version.',
  'strategy.disabled': 'A strategy was disabled.',
  'strategy.enabled': 'A strategy was enabled again.',
  'strategy.deleted': 'A strategy was deleted. Records that it made are withdrawn separately, if requested.',
  'message.appended': 'One utterance of a turn.',
  'message.interrupted':
    'An assistant message was cut short after it had been appended. Readers show what was heard of it; the event of the message itself is unchanged.',
  'binary.appended': 'A binary payload, such as a checkpoint.',
  'history.reset': 'Earlier messages were removed from the window of an agent or of the session.',
  'content.submitted': 'Content was submitted for extraction only; it appears in no history.',
  'content.erased': 'An event, a session or an actor was erased. Holds no content.',
  'memory_state.captured': "A realtime client submitted its platform's memory state.",
  'agent.started': 'An agent started in a session.',
  'agent.updated': "An agent's system messages or parameters were replaced.",
  'agent.stopped': 'An agent stopped.',
  'agent.failed': 'An agent ended because of an error.',
  'agent.instructed': "A client asked an agent's engine to speak, think or stop speaking.",
  'extraction.answered': "A model's answer for one window, stored before it is used.",
  'records.extracted': 'Result of one run of a strategy over one window of a session.',
  'records.inserted': 'Records were inserted by a caller.',
  'records.withdrawn':
    'Records were deleted, or lost their last source: it was erased, or an interruption cut off what they quote.',
  'records.carried_over': 'Full copies of records whose source events were erased or are in another installation.',
  'record.corrected': "A record's text was corrected.",
  'supersession.withdrawn': 'A superseded record was reinstated.',
};

/** `docs/events.md`, generated from the event schemas. */
export const eventsMarkdown = (): string => {
  const types = Object.keys(EVENT_SCHEMAS) as EventType[];
  return `${HEAD}\n${types.map(section).join('\n')}`;
};

const HEAD = `# Events

Everything that Turnkeeper stores is in its log, as events of these types. This page is generated from the schemas in
\`libs/contracts/src/events\` (\`npm run docs\`).

- **Versions.** An event carries \`schemaVersion\`. A new optional field needs no new version; any other change creates one,
  with a step that converts older events when they are read. Stored events are never rewritten.
- **Unknown events.** A type or version that this release does not know is passed through unchanged and counted in
  \`turnkeeper_unknown_events_read_total\`.
- **Samples.** \`libs/contracts/src/events/samples\` holds one of each version; the build fails when one changes.
- **Sequence**: takes the next number of its session. **Expires**: stops being readable after the memory's
  \`eventExpiryDuration\`. **Projection**: the read model that the event changes.
`;

const section = (type: EventType): string => {
  const { sequenced, expires } = EVENT_TRAITS[type];
  const schemas: readonly z.ZodType[] = EVENT_SCHEMAS[type];
  const schema = z.toJSONSchema(schemas.at(-1) as z.ZodType, { unrepresentable: 'any' }) as JsonSchema;
  const rows = fieldsOf(schema).map(
    ({ name, kind, optional }) => `| \`${name}\` | ${kind} | ${optional ? 'no' : 'yes'} |`,
  );
  const table =
    rows.length === 0 ? 'No fields.' : ['| field | type | required |', '| --- | --- | --- |', ...rows].join('\n');
  const traits = `Version ${schemas.length}. Sequence: ${yes(sequenced)}. Expires: ${yes(expires)}. Projection: ${PROJECTION_OF[type] ?? 'none'}.`;
  return `## ${type}\n\n${MEANINGS[type]}\n\n${traits}\n\n${table}\n`;
};

const yes = (value: boolean): string => (value ? 'yes' : 'no');

interface Field {
  readonly name: string;
  readonly kind: string;
  readonly optional: boolean;
}

/** A schema's fields; nested fields have a path such as `records[].text`. */
const fieldsOf = ({ properties = {}, required = [] }: JsonSchema, prefix = ''): Field[] =>
  Object.entries(properties).flatMap(([key, schema]) => {
    const name = `${prefix}${key}`;
    const field = { name, kind: kindOf(schema), optional: !required.includes(key) };
    const { inner, suffix } = innerOf(schema);
    return [field, ...fieldsOf(inner, `${name}${suffix}.`)];
  });

const innerOf = (schema: JsonSchema): { inner: JsonSchema; suffix: string } => {
  const present = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema;
  return present.type === 'array' ? { inner: present.items ?? {}, suffix: '[]' } : { inner: present, suffix: '' };
};

const kindOf = (schema: JsonSchema): string => {
  if (schema.anyOf !== undefined) return schema.anyOf.map(kindOf).join(' or ');
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (schema.type === 'array') return `list of ${kindOf(schema.items ?? {})}`;
  if (schema.format === 'uuid') return 'UUID';
  if (schema.format === 'date-time') return 'time (ISO 8601)';
  return [schema.type ?? 'any JSON'].flat().join(' or ');
};
