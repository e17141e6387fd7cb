import { DomainError } from '../errors.js';

/** AgentBase's default template (their guide, "Namespace Template"). */
export const DEFAULT_NAMESPACE_TEMPLATE = '/strategies/{memoryStrategyId}/actors/{actorId}';

const VARIABLES = ['memoryStrategyId', 'actorId', 'sessionId'] as const;
type Variable = (typeof VARIABLES)[number];

export class UnknownNamespaceVariable extends DomainError {
  readonly code = 'strategy.unknown_namespace_variable';
  readonly kind = 'invalid';
  constructor(field: string) {
    super('The namespace template uses a variable that does not exist.', {
      field,
      rule: `may use only ${VARIABLES.map((name) => `{${name}}`).join(', ')}`,
      next: 'Correct the name between the braces.',
    });
  }
}

export class NamespaceNeeds extends DomainError {
  readonly code = 'strategy.namespace_needs';
  readonly kind = 'invalid';
  constructor(field: string) {
    super("The strategy's namespaces are made from something that the request does not give.", {
      field,
      rule: "is required by the strategy's namespaceTemplate",
      next: 'Give it as a query parameter.',
    });
  }
}

/** Refuses to resolve a template without a value that it names. */
export const assertNamespaceValues = (template: string, values: Readonly<Record<string, string | undefined>>): void => {
  const missing = variablesOf(template).find((name) => name !== 'memoryStrategyId' && values[name] === undefined);
  if (missing !== undefined) throw new NamespaceNeeds(missing);
};

/** The names between braces in a template, in order; an unpaired brace counts as the name `''`. */
const variablesOf = (template: string): string[] => {
  const names = [...template.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? '');
  const rest = template.replace(/\{[^{}]*\}/g, '');
  return /[{}]/.test(rest) ? [...names, ''] : names;
};

/** Refuses a template whose variables we could never fill. */
export const assertNamespaceTemplate = (template: string, field: string): void => {
  const known = new Set<string>(VARIABLES);
  if (variablesOf(template).some((name) => !known.has(name))) throw new UnknownNamespaceVariable(field);
};

/**
 * The namespace a record is filed under, matched exactly and never by prefix.
 * Values come from the job, never from a model. A `/` in a value is escaped as `%2F`, so that an actor
 * called `a/actors/b` cannot name another actor's namespace.
 */
export const resolveNamespace = (template: string, values: Readonly<Record<Variable, string>>): string =>
  template.replace(/\{([^{}]*)\}/g, (_, name: string) =>
    (values[name as Variable] ?? '').replaceAll('%', '%25').replaceAll('/', '%2F'),
  );

/**
 * The actor whose namespace this is, by the templates of the memory's strategies; null when no template with an
 * `{actorId}` gives it. The reverse of `resolveNamespace`.
 */
export const actorOfNamespace = (
  strategies: readonly { readonly strategyId: string; readonly namespaceTemplate: string }[],
  namespace: string,
): string | null => {
  for (const { strategyId, namespaceTemplate } of strategies) {
    if (!namespaceTemplate.includes('{actorId}')) continue;
    const groups: string[] = [];
    const pattern = namespaceTemplate
      .split(/(\{[^{}]*\})/)
      .map((part) => {
        if (!part.startsWith('{')) return escapePattern(part);
        if (part === '{memoryStrategyId}') return escapePattern(strategyId);
        groups.push(part);
        return '([^/]+)';
      })
      .join('');
    const match = new RegExp(`^${pattern}$`).exec(namespace);
    const value = match?.[groups.indexOf('{actorId}') + 1];
    if (value !== undefined) return value.replaceAll('%2F', '/').replaceAll('%25', '%');
  }
  return null;
};

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
