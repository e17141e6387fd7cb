/** Common words in prompts that say nothing about the topic. */
const PROMPT_WORDS = new Set(
  (
    'extract find remember keep store note list collect identify capture save record records focus only about from with their they them that this these those ' +
    'what when where which who whom whose why how facts fact information info details detail memory memories conversation conversations ' +
    'user users assistant agent customer customers person people speaker message messages mention mentions mentioned said says anything everything ' +
    'something important relevant matters matter useful should would could must please only also such like than then into over under have been being ' +
    'every each other others make made does your ours and the for are not all any'
  ).split(' '),
);
/** Long enough to distinguish words, short enough to match "allergic" with "allergies". */
const STEM_LENGTH = 5;

const stemsOf = (text: string): Set<string> =>
  new Set(
    (text.toLowerCase().match(/\p{L}{3,}/gu) ?? [])
      .filter((word) => !PROMPT_WORDS.has(word))
      .map((word) => word.replace(/(?:ies|es|s)$/, '').slice(0, STEM_LENGTH)),
  );

/** The topic of a client's prompt, as a set of words. */
export const topicOf = (prompt: string): { covers(clause: string): boolean } => {
  const wanted = stemsOf(prompt);
  return { covers: (clause) => [...stemsOf(clause)].some((stem) => wanted.has(stem)) };
};
