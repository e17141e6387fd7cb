import { refusal } from '../errors.js';

/** AgentBase's default template (their guide, "Namespace Template"). */
export const DEFAULT_NAMESPACE_TEMPLATE = '/strategies/{memoryStrategyId}/actors/{actorId}';

/** Text that a namespace template may name. */
export const NAMESPACE_VARIABLES = ['memoryStrategyId', 'actorId', 'sessionId'] as const;
export type NamespaceVariable = (typeof NAMESPACE_VARIABLES)[number];
type Variable = NamespaceVariable;

export class UnknownNamespaceVariable extends refusal(
  'strategy.unknown_namespace_variable',
  'invalid',
  (field: string, variables: readonly NamespaceVariable[] = NAMESPACE_VARIABLES) => ({
    message: 'The namespace template uses an unknown variable.',
    field,
    rule: `may use only ${variables.map((name) => `{${name}}`).join(', ')}`,
    next: 'Correct the name in the braces.',
  }),
) {}

export class AdjacentNamespaceVariables extends refusal(
  'strategy.adjacent_namespace_variables',
  'invalid',
  (field: string) => ({
    message: 'The namespace template has two variables side by side.',
    field,
    rule: 'must have a character between two variables, so that the end of each value is unambiguous',
    next: 'Put a `/` between the variables.',
  }),
) {}

export class NamespaceNeeds extends refusal('strategy.namespace_needs', 'invalid', (field: string) => ({
  message: "The strategy's namespace cannot be resolved.",
  field,
  rule: "is required by the strategy's namespaceTemplate",
  next: 'Send it as a query parameter.',
})) {}

/** Refuses to resolve a template if a variable that it uses has no value. */
export const assertNamespaceValues = (template: string, values: Readonly<Record<string, string | undefined>>): void => {
  const missing = variablesOf(template).find((name) => name !== 'memoryStrategyId' && values[name] === undefined);
  if (missing !== undefined) throw new NamespaceNeeds(missing);
};

type Part = { readonly literal: string } | { readonly variable: string };

/** Splits a template into literals and variables in one pass. An unpaired brace becomes the unknown variable `''`. */
const partsOf = (template: string): Part[] => {
  const parts: Part[] = [];
  let at = 0;
  while (at < template.length) {
    const open = template.indexOf('{', at);
    const literal = template.slice(at, open === -1 ? undefined : open);
    if (literal !== '') parts.push(literal.includes('}') ? { variable: '' } : { literal });
    if (open === -1) break;
    const close = template.indexOf('}', open);
    const name = close === -1 ? '' : template.slice(open + 1, close);
    parts.push({ variable: name.includes('{') ? '' : name });
    at = close === -1 ? template.length : close + 1;
  }
  return parts;
};

const variablesOf = (template: string): string[] =>
  partsOf(template).flatMap((part) => ('variable' in part ? [part.variable] : []));

/** Rejects templates with unknown variables, and templates whose namespaces could not be parsed back. */
export const assertNamespaceTemplate = (
  template: string,
  field: string,
  variables: readonly NamespaceVariable[] = NAMESPACE_VARIABLES,
): void => {
  const known = new Set<string>(variables);
  if (variablesOf(template).some((name) => !known.has(name))) throw new UnknownNamespaceVariable(field, variables);
  const parts = partsOf(template);
  if (parts.some((part, at) => 'variable' in part && 'variable' in (parts[at + 1] ?? {}))) {
    throw new AdjacentNamespaceVariables(field);
  }
};

/** Escapes `/`, so that a value stays within one path segment. */
const escaped = (value: string): string => value.replaceAll('%', '%25').replaceAll('/', '%2F');
const unescaped = (value: string): string => value.replaceAll('%2F', '/').replaceAll('%25', '%');

/**
 * The namespace under which a record is filed; matched exactly, never by prefix. Values come from the job, never from a
 * model. A `/` in a value is escaped as `%2F`, so that an actor named `a/actors/b` cannot address another actor's
 * namespace.
 */
export const resolveNamespace = (template: string, values: Readonly<Record<Variable, string>>): string =>
  partsOf(template)
    .map((part) => ('literal' in part ? part.literal : escaped(values[part.variable as Variable] ?? '')))
    .join('');

export interface NamespaceSource {
  readonly strategyId: string;
  readonly namespaceTemplate: string;
}

/**
 * Inverse of `resolveNamespace`: the actor to whom a namespace belongs, according to the templates of the memory's
 * strategies. Returns null if no template with `{actorId}` produces it. If a path segment has several variables
 * (`{actorId}-{sessionId}`), each value ends at the first occurrence of the literal that follows it.
 */
export const actorOfNamespace = (strategies: readonly NamespaceSource[], namespace: string): string | null => {
  for (const { strategyId, namespaceTemplate } of strategies) {
    const actor = valueIn(fixed(namespaceTemplate, { memoryStrategyId: strategyId }), namespace, 'actorId');
    if (actor !== null) return unescaped(actor);
  }
  return null;
};

/**
 * Whether a user may access this namespace in a session: either a template with `{actorId}` produces it for that actor,
 * or a template without one produces it for that session. Namespaces that no template produces are not accessible to
 * users.
 */
export const isNamespaceOf = (
  strategies: readonly NamespaceSource[],
  namespace: string,
  { actorId, sessionId }: { readonly actorId: string; readonly sessionId?: string },
): boolean =>
  strategies.some(({ strategyId, namespaceTemplate }) => {
    const values = { memoryStrategyId: strategyId, actorId };
    const isPersonal = namespaceTemplate.includes('{actorId}');
    if (isPersonal || sessionId === undefined) {
      return (
        (isPersonal || !namespaceTemplate.includes('{sessionId}')) &&
        matches(fixed(namespaceTemplate, values), namespace) !== null
      );
    }
    return matches(fixed(namespaceTemplate, { ...values, sessionId }), namespace) !== null;
  });

/**
 * Whether a namespace holds records of this actor and of no other: a template produces it for the actor, and every
 * template that produces it has `{actorId}` in a path segment without `{sessionId}`. `/{actorId}-{sessionId}` gives
 * `/ada-b-7` for the actor `ada` as well as for `ada-b`, so it belongs to neither alone.
 */
export const isNamespaceOfOnly = (
  strategies: readonly NamespaceSource[],
  namespace: string,
  actorId: string,
): boolean => {
  const producing = strategies.filter(
    ({ strategyId, namespaceTemplate }) =>
      matches(fixed(namespaceTemplate, { memoryStrategyId: strategyId }), namespace) !== null,
  );
  return (
    producing.length > 0 &&
    producing.every(
      (source) => namesActorAlone(source.namespaceTemplate) && isNamespaceOf([source], namespace, { actorId }),
    )
  );
};

/** Whether the actor's id can be read from a namespace of the template without ambiguity. */
const namesActorAlone = (template: string): boolean =>
  template.split('/').some((segment) => segment.includes('{actorId}') && !segment.includes('{sessionId}'));

/** The template's parts with the given variables replaced by their values. */
const fixed = (template: string, values: Partial<Record<Variable, string>>): Part[] =>
  partsOf(template).map((part) => {
    const value = 'variable' in part ? values[part.variable as Variable] : undefined;
    return value === undefined ? part : { literal: escaped(value) };
  });

const valueIn = (parts: readonly Part[], namespace: string, variable: Variable): string | null =>
  matches(parts, namespace)?.get(variable) ?? null;

/**
 * The variables' values, or null if the template does not match the text. Segments are compared one by one and read
 * left to right without backtracking, so the time is linear for every template.
 */
const matches = (parts: readonly Part[], text: string): Map<string, string> | null => {
  const values = new Map<string, string>();
  const wanted = segmentsOf(parts);
  const given = text.split('/');
  const fits =
    wanted.length === given.length && wanted.every((segment, at) => readSegment(segment, given[at] ?? '', values));
  return fits ? values : null;
};

const segmentsOf = (parts: readonly Part[]): Part[][] => {
  let last: Part[] = [];
  const segments = [last];
  for (const part of parts) {
    if ('variable' in part) {
      last.push(part);
      continue;
    }
    const [first = '', ...rest] = part.literal.split('/');
    const before = last.at(-1);
    if (before !== undefined && 'literal' in before) last[last.length - 1] = { literal: before.literal + first };
    else if (first !== '') last.push({ literal: first });
    for (const literal of rest) segments.push((last = literal === '' ? [] : [{ literal }]));
  }
  return segments;
};

/**
 * Matches one segment and stores its variables' values. Returns false if it does not match or a variable has two
 * values.
 */
const readSegment = (parts: readonly Part[], text: string, values: Map<string, string>): boolean => {
  let at = 0;
  let open: string | null = null;
  const close = (end: number): boolean => {
    if (open === null) return end === at;
    const value = text.slice(at, end);
    const isNew = !values.has(open);
    if (isNew) values.set(open, value);
    return value !== '' && (isNew || values.get(open) === value);
  };
  for (const [index, part] of parts.entries()) {
    if ('variable' in part) {
      // Adjacent variables, from a template stored before they were rejected: the end of the first is ambiguous.
      if (open !== null) return false;
      open = part.variable;
      continue;
    }
    const isLast = index === parts.length - 1;
    const place: number = isLast
      ? text.length - part.literal.length
      : text.indexOf(part.literal, at + (open === null ? 0 : 1));
    if (place < at || !text.startsWith(part.literal, place) || !close(place)) return false;
    at = place + part.literal.length;
    open = null;
  }
  return close(text.length);
};
