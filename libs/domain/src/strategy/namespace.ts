import { DomainError } from '../errors.js';

/** AgentBase's default template (their guide, "Namespace Template"). */
export const DEFAULT_NAMESPACE_TEMPLATE = '/strategies/{memoryStrategyId}/actors/{actorId}';

const VARIABLES = ['memoryStrategyId', 'actorId', 'sessionId'] as const;
type Variable = (typeof VARIABLES)[number];

export class UnknownNamespaceVariable extends DomainError {
  readonly code = 'strategy.unknown_namespace_variable';
  readonly kind = 'invalid';
  constructor(field: string) {
    super('The namespace template uses an unknown variable.', {
      field,
      rule: `may use only ${VARIABLES.map((name) => `{${name}}`).join(', ')}`,
      next: 'Correct the name between the braces.',
    });
  }
}

export class AdjacentNamespaceVariables extends DomainError {
  readonly code = 'strategy.adjacent_namespace_variables';
  readonly kind = 'invalid';
  constructor(field: string) {
    super('The namespace template has two variables side by side.', {
      field,
      rule: 'must have a character between two variables, so that a namespace shows where each value ends',
      next: 'Put a `/` between the variables.',
    });
  }
}

export class NamespaceNeeds extends DomainError {
  readonly code = 'strategy.namespace_needs';
  readonly kind = 'invalid';
  constructor(field: string) {
    super("The strategy's namespace cannot be resolved.", {
      field,
      rule: "is required by the strategy's namespaceTemplate",
      next: 'Send it as a query parameter.',
    });
  }
}

/** Refuses to resolve a template without a value that it names. */
export const assertNamespaceValues = (template: string, values: Readonly<Record<string, string | undefined>>): void => {
  const missing = variablesOf(template).find((name) => name !== 'memoryStrategyId' && values[name] === undefined);
  if (missing !== undefined) throw new NamespaceNeeds(missing);
};

type Part = { readonly literal: string } | { readonly variable: string };

/**
 * A template cut into literals and variables, in one pass. An unpaired brace counts as the variable `''`, which nothing
 * fills in.
 */
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

/** Refuses a template whose variables we could never fill, or whose namespaces could not be read back. */
export const assertNamespaceTemplate = (template: string, field: string): void => {
  const known = new Set<string>(VARIABLES);
  if (variablesOf(template).some((name) => !known.has(name))) throw new UnknownNamespaceVariable(field);
  const parts = partsOf(template);
  if (parts.some((part, at) => 'variable' in part && 'variable' in (parts[at + 1] ?? {}))) {
    throw new AdjacentNamespaceVariables(field);
  }
};

/** A value as a namespace holds it: with a `/` escaped, so that the value stays within one segment. */
const escaped = (value: string): string => value.replaceAll('%', '%25').replaceAll('/', '%2F');
const unescaped = (value: string): string => value.replaceAll('%2F', '/').replaceAll('%25', '%');

/**
 * The namespace a record is filed under, matched exactly and never by prefix.
 * Values come from the job, never from a model. A `/` in a value is escaped as `%2F`, so that an actor
 * called `a/actors/b` cannot name another actor's namespace.
 */
export const resolveNamespace = (template: string, values: Readonly<Record<Variable, string>>): string =>
  partsOf(template)
    .map((part) => ('literal' in part ? part.literal : escaped(values[part.variable as Variable] ?? '')))
    .join('');

interface NamespaceSource {
  readonly strategyId: string;
  readonly namespaceTemplate: string;
}

/**
 * The actor whose namespace this is, by the templates of the memory's strategies; null when no template with an
 * `{actorId}` gives it. The reverse of `resolveNamespace`. Where one path segment holds several variables
 * (`{actorId}-{sessionId}`), each value ends at the first place where what follows it in the template can begin.
 */
export const actorOfNamespace = (strategies: readonly NamespaceSource[], namespace: string): string | null => {
  for (const { strategyId, namespaceTemplate } of strategies) {
    const actor = valueIn(fixed(namespaceTemplate, { memoryStrategyId: strategyId }), namespace, 'actorId');
    if (actor !== null) return unescaped(actor);
  }
  return null;
};

/**
 * Whether a user may reach this namespace in a session: a template with an `{actorId}` gives it for that actor, or one
 * without gives it for that session. No user may reach a namespace that no template gives.
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

/** The template's parts with these values in their places. */
const fixed = (template: string, values: Partial<Record<Variable, string>>): Part[] =>
  partsOf(template).map((part) => {
    const value = 'variable' in part ? values[part.variable as Variable] : undefined;
    return value === undefined ? part : { literal: escaped(value) };
  });

const valueIn = (parts: readonly Part[], namespace: string, variable: Variable): string | null =>
  matches(parts, namespace)?.get(variable) ?? null;

/**
 * The variables' values, or null where the parts do not give the text. Segments are compared one by one, and a segment is
 * read from left to right without ever going back, so the time is linear however the template is written.
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

/** Reads one segment and notes its variables' values; false where it does not fit, or one variable has two values. */
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
      // Side by side, in a template of before that was refused: where the first one ends cannot be known.
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
