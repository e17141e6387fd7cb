const STEP = /\[(?:\*|-?\d+)\]|\{[^{}]*\}|[^.[\]{}]+/gu;

/**
 * The texts at a path of a value, as LangGraph's own stores read paths: `a.b`, `a[0]`, `a[-1]`, `a[*].b`, `*` and `{a,b.c}`.
 * `$` is the whole value. (The function that LangGraph exports for it knows only some of them.)
 */
export const textsAt = (value: unknown, path: string): string[] =>
  path === '' || path === '$' ? textsOf(value) : textsBelow(value, path.match(STEP) ?? []);

const textsBelow = (value: unknown, [step, ...rest]: readonly string[]): string[] => {
  if (step === undefined) return textsOf(value);
  if (step.startsWith('{'))
    return step
      .slice(1, -1)
      .split(',')
      .flatMap((path) => textsAt(value, path.trim()));
  return partsOf(value, step).flatMap((part) => textsBelow(part, rest));
};

const partsOf = (value: unknown, step: string): unknown[] => {
  if (typeof value !== 'object' || value === null) return [];
  if (step === '*') return Object.values(value);
  if (!step.startsWith('[')) return Object.hasOwn(value, step) ? [(value as Record<string, unknown>)[step]] : [];
  if (!Array.isArray(value)) return [];
  return step === '[*]' ? value : [value.at(Number(step.slice(1, -1)))];
};

const textsOf = (value: unknown): string[] => {
  if (value === undefined || value === null) return [];
  return [typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value)];
};
