import { MONTHS } from '@turnkeeper/domain';

const words = (list: string): readonly string[] => list.split(' ');

/** Capitalised words that are no names of people, wherever they stand. */
const NO_NAMES: ReadonlySet<string> = new Set([
  ...MONTHS,
  ...words('monday tuesday wednesday thursday friday saturday sunday mon tues fri sun today yesterday tomorrow'),
  ...words('christmas easter halloween thanksgiving'),
  // Pronouns, determiners and question words.
  ...words('i you he she it we they my our your his her its their mine this that these those there here the an'),
  ...words('what who when where why how one two three nine ten half both all some most many each every another other'),
  ...words('everyone everybody someone somebody anyone nobody everything something nothing'),
  // Conjunctions, prepositions and adverbs.
  ...words('and but or so if because since after before while once then as at in on of for from with not no yes'),
  ...words('just also even last next maybe anyway honestly actually sometimes'),
  // How sentences begin.
  ...words(
    'hey hi hello wow oh aw yeah thanks congrats sorry sure please well great good best worst nice cool poor dear',
  ),
  ...words('having being seeing getting turns sounds looks seems hope guess'),
  ...words('life work music art school time people kids things god covid english dr mr mrs ms'),
]);

export const isNoName = (word: string): boolean => NO_NAMES.has(word.toLowerCase());
