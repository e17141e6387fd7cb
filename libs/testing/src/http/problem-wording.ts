import { API_ROUTES } from '@turnkeeper/vendors';

/** Operation names are for generated clients; readers of an error do not know them. */
const OPERATION_IDS = API_ROUTES.map(({ id }) => id).filter((id) => /[A-Z]/.test(id));

/** Phrases of validators, databases and runtimes. */
const MACHINE_PHRASES = [
  /\binvalid input\b/i,
  /\bexpected\b.*\breceived\b/i,
  /\bundefined\b/,
  /\bNaN\b/,
  /\[object /,
  /must match (pattern|\^|\/)/i,
  /\b(too (small|big)):/i,
  /\bzod\b/i,
  /\bviolates\b/,
  /\bat \S+:\d+:\d+/,
];
/** A rule is a predicate of its field: `name is required`. */
const PREDICATE = /^(must|may|is|are|has|requires|contains|belongs|or [\w. ]+ is)\b/;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * Faults in the wording of a problem document; empty if a person can read it and act on it. Does not know the request,
 * so it checks only the spelling of a field, not whether it exists.
 */
export const problemFaults = (problem: Readonly<Record<string, unknown>>): string[] => {
  const [title, detail, next, field, rule] = ['title', 'detail', 'next', 'field', 'rule'].map((name) =>
    textOf(problem[name]),
  ) as [string, string, string, string, string];
  const faults: string[] = [];
  const said = `${title} ${rule === 'is not a known field' ? '' : detail} ${next} ${rule}`;
  for (const phrase of MACHINE_PHRASES) if (phrase.test(said)) faults.push(`speaks like a machine: ${String(phrase)}`);
  for (const id of OPERATION_IDS) if (new RegExp(`\\b${id}\\b`).test(said)) faults.push(`names the operation ${id}`);
  if (!/^[A-Z][^\n]*\.$/.test(title)) faults.push('the title is no sentence');
  if (problem['type'] !== `/docs/errors#${String(problem['code'])}`) faults.push('the type does not open the code');
  if (detail === '') faults.push('has no detail');
  if (detail !== '' && (!detail.endsWith('.') || detail.includes(title.slice(0, -1)))) {
    faults.push('the detail is no sentence, or repeats the title');
  }
  if (next === '') faults.push('has no next step');
  if (rule !== '' && !PREDICATE.test(rule)) faults.push(`the rule is no predicate: ${rule}`);
  // An unknown field has the sender's own name.
  if (field !== '' && rule !== 'is not a known field' && !/^[\w@.-]+$/.test(field))
    faults.push(`the field is no name: ${field}`);
  return faults;
};
