import type { RecordDetails, Slot } from '@turnkeeper/domain';

/** By the name of an attribute, or of a slot that records of earlier releases fill. */
const WORDS_BY_NAME: Readonly<Record<string, string>> = {
  home: 'home live lives city town address move moved',
  name: 'name called',
  nickname: 'name called nickname',
  age: 'age old',
  employer: 'employer company job work works',
  job: 'job work profession occupation works',
  'marital status': 'marital status relationship partner spouse married single',
  diet: 'diet food eat eats',
  episode: 'session conversation call chat happened',
  smoking: 'smoke smokes smoking cigarettes',
};

/**
 * Search terms for a record that its text may not contain: "phone number" for "reached at 0170 5551234". Indexed together
 * with its own words.
 */
export const keywordsOf = ({ slot, attribute }: { readonly slot: Slot | null } & RecordDetails): string => {
  const name = attribute?.name ?? slot?.key.slice(slot.key.indexOf('|') + 1) ?? '';
  return WORDS_BY_NAME[name] ?? attribute?.name.replaceAll('_', ' ') ?? '';
};
