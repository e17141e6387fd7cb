import { expectedVerb, hasFiniteVerb, verbOf } from '../facts/verbs.js';
import { isOrHas } from './is-or-has.js';

const PARTICIPLE =
  /^(?:been|had|gone|done|seen|heard|taken|given|got|gotten|never|already|always|just|lost|met|made|come|become|known|(?!need)\w+ed)$/i;

/** "dont" → "don't", as people type. "Its", "were" and "well" are words of their own. */
const withApostrophes = (text: string): string =>
  text
    .replace(/\b(do|does|did|is|are|was|were|has|have|had|would|could|should)nt\b/gi, "$1n't")
    .replace(/\b(ca|wo)nt\b/gi, "$1n't")
    .replace(/\b(that|what|there|he|she)s\b(?= \p{L})/giu, "$1's")
    .replace(/\b(they|you)(re|ve)\b/gi, "$1'$2")
    .replace(
      /(^|[,.;] |\b(?:and|but|so|because|yes|no|ok|okay|think|maybe) )id(?= (?:like|love|rather|prefer)\b)/gi,
      "$1I'd",
    );

/**
 * Expands contractions that contain a subject's verb: "I'm" → "I am", "gonna" → "going to"; "dunno" stays. Curly
 * apostrophes become straight ones.
 */
export const expandContractions = (text: string): string =>
  isOrHas(withApostrophes(text.replaceAll('’', "'")))
    .replace(/\b(my (?:\p{L}+ )?name)'s (?=\p{L})/giu, '$1 is ')
    .replace(
      /\b(i|we|you)'d (\w+)/gi,
      (_, who: string, next: string) => `${who} ${PARTICIPLE.test(next) ? 'had' : 'would'} ${next}`,
    )
    .replace(/\bi'm\b|\bim\b(?= \w)/gi, 'I am')
    .replace(/\bi've\b|\bive\b(?= \w)/gi, 'I have')
    .replace(/\bi'll\b/gi, 'I will')
    .replace(/\b(we|you)'re\b/gi, '$1 are')
    .replace(/\b(we|you)'ve\b/gi, '$1 have')
    .replace(/\b(we|you)'ll\b/gi, '$1 will')
    .replace(/(?<!\bof )\byou (?:two|guys|both|all)\b/gi, 'you')
    .replace(/^(\p{Lu}\p{Ll}+)'s (?=(?:(?:mostly|really|definitely|totally|always|also) )?my \p{L}+)/u, '$1 is ')
    .replace(
      /^(he|she)'s (?=(?:an?|the|my|our|\d+|two|three|four|five|six|seven|eight|nine|ten|in|from|now|\p{L}{3,}ing)\b)/iu,
      '$1 is ',
    )
    .replace(/\bgonna\b/gi, 'going to')
    .replace(/\bwanna\b/gi, 'want to')
    .replace(/\bgotta\b/gi, 'have to')
    .replace(/\bi\b(?!['-])/g, 'I')
    .replace(/\bI have have to\b/g, 'I have to')
    .replace(/\bmy ((?:\w+ ){0,2}\w+) and I\b/gi, (whole, who: string) =>
      // "My dad hates Karl and I …"
      hasFiniteVerb(who.split(' ').slice(1)) ? whole : `I and my ${who}`,
    )
    .replace(
      /^(?:me|myself) and ((?:my|our|the) (?:\p{L}+ ){1,3}?|\p{Lu}\p{L}+ )(?=\p{Ll}+)/iu,
      (whole, who: string, at: number, text: string) =>
        // "Me and my dad next to a tent" is no clause.
        isPast(text.slice(at + whole.length).split(' ')[0] ?? '') ? `I and ${who}` : whole,
    )
    .replace(/^the (kids|children|twins|girls|boys|family) and I\b/i, 'I and the $1')
    .replace(/^(\p{Lu}\p{L}+) and I\b/u, 'I and $1')
    .replace(/\b(?:kind|sort) of (?=(?:like|love|enjoy|want|miss|hate|prefer)\b)/gi, 'kinda ');

const isPast = (word: string): boolean => /^(?:were|had|have|are)$/.test(word) || expectedVerb(word)?.form === 'past';

/** Optional words before the verb of a sentence without "I". */
const LEAD = String.raw`(?:just |finally |recently |already |even |also |still |currently |really |always )*`;
/** Verbs and adjectives that start a sentence with an omitted "I". */
const PAST = new RegExp(
  String.raw`^${LEAD}(?:got|went|started|took|had|met|bought|saw|tried|finished|signed|joined|moved|spent|visited|found|picked|decided|lost|won|did|came|ran|watched|played|learned|made|held|wrote|joined|attended|helped|created|launched|adopted|painted|baked|skyped|took up|hit)(?! (?:some (?:trial|time|work|effort|practice)|a (?:while|lot|bit)|ages|years|time|lots|me|us)\b)\b(?! by\b)`,
  'i',
);
const BEEN = new RegExp(String.raw`^${LEAD}been (?:\w+ly )?(?:\w+ing|into|to|in|at|on|there|interested)\b`, 'i');
const PRESENT = new RegExp(
  String.raw`^${LEAD}(?:love|can't|cannot|don't (?:want|have|like|need))\b(?! (?:is|was|can|has|and)\b)`,
  'i',
);
const FEELING =
  /^(?:so |really |super |very |pretty )*(?:glad|happy|excited|proud|sorry|stoked|thrilled|grateful|thankful)\b/i;
const DOING = new RegExp(
  String.raw`^${LEAD}(?:going to (?!be\b)|working|looking|thinking|planning|trying|hoping|learning|getting|training|studying|saving|searching|preparing|practicing|considering|researching|volunteering|reading|writing|building|dealing|feeling|finishing up|(?:finishing|rehearsing)(?= (?:an?|the|my|our|some)))\b`,
  'i',
);
/** A verb whose subject is the "-ing" phrase: "taking breaks is vital". */
const OTHER_VERB =
  /(?<!\b(?:it|that|this|he|she|they|we|i|who|which|there|what|life))(?:\s(?:is|was|are|were|has|can|could|will|would|isn't|wasn't|makes?|made|gives?|gave|helps?|helped|brings?|keeps?|kept|taught|teaches|turned|costs?|changed|changes|became|calms?|calmed|saved|saves|lets?|feels?|felt|means?|reminds?|takes?|took|looks?|seems?|sounds?|should)\b|'s\b)/i;

const CALL_ME =
  /^(?:please |just |you can |everyone can )*call me (?!(?:after|at|back|when|if|on|in|later|tomorrow|tonight|now|today|before|by|crazy|a|an|the|any|what|whatever|names?|maybe|again|first|once|as|this|next|sometime)\b)(\p{L}[\p{L}'-]*)/iu;

/** "Practised a song every evening"; in "Given the weather" and "Married for two years" the word is no verb. */
const isDeed = (text: string): boolean => {
  const [first = '', ...rest] = text
    .toLowerCase()
    .replace(/^(?:just |finally |recently |also )+/, '')
    .split(' ');
  // "Wrapped up a project"
  const next = (/^(?:up|off|out|down|in|on|away|back|over|through)$/.test(rest[0] ?? '') ? rest[1] : rest[0]) ?? '';
  const verb = verbOf(first);
  return (
    verb?.form === 'past' &&
    verb.kind === 'event' &&
    first !== verb.base &&
    !/(?:en|wn|ne|um)$|^(?:married|engaged|called|named|hurt|left|broke|fed|bound|caught|set|based|used|involved|dedicated|devoted|committed|balanced|packed)$/.test(
      first,
    ) &&
    /^(?:an?|the|my|our|some|two|three|four|five|every|with)$/.test(next)
  );
};

/** Restores an omitted "I": "Just got a dog" → "I just got a dog". */
export const restoreSubject = (text: string): string => {
  const called = CALL_ME.exec(text)?.[1];
  if (called !== undefined) return `I want to be called ${called}`;
  const lower = text.charAt(0).toLowerCase() + text.slice(1);
  if (BEEN.test(text)) return `I have ${lower}`;
  if (PAST.test(text) || PRESENT.test(text) || isDeed(text)) return `I ${lower}`;
  if (/^due (?:in|on) \p{Lu}/iu.test(text)) return `I am ${lower}`;
  // "Writing and hanging out with friends!" answers what one likes.
  if (/^\p{L}+ing and \p{L}+ing\b/iu.test(text)) return text;
  if (FEELING.test(text) || (DOING.test(text) && !OTHER_VERB.test(text.split(/ (?:[–—]|-{1,3}) |;/)[0] ?? '')))
    return `I am ${lower}`;
  return text;
};
