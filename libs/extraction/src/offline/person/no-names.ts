import { MONTHS } from '@turnkeeper/domain';
import { wordSet } from '../text/word-set.js';

/** Capitalised words that are no names of people, wherever they stand. */
const NO_NAMES: ReadonlySet<string> = wordSet(
  ...MONTHS,
  'monday tuesday wednesday thursday friday saturday sunday mon tues fri sun today yesterday tomorrow',
  'christmas easter halloween thanksgiving',
  // Pronouns, determiners and question words.
  'i you he she it we they my our your his her its their mine this that these those there here the an',
  'what who when where why how one two three nine ten half both all some most many each every another other',
  'everyone everybody someone somebody anyone nobody everything something nothing',
  // Conjunctions, prepositions and adverbs.
  'and but or so if because since after before while once then as at in on of for from with not no yes',
  'just also even last next maybe anyway honestly actually sometimes',
  // How sentences begin.
  'hey hi hello wow oh aw yeah thanks congrats sorry sure please well great good best worst nice cool poor dear',
  'having being seeing getting turns sounds looks seems hope guess',
  'life work music art school time people kids things god covid english dr mr mrs ms',
);

export const isNoName = (word: string): boolean => NO_NAMES.has(word.toLowerCase());
