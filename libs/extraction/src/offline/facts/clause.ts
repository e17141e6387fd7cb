import { MONTHS } from '@turnkeeper/domain';
import { ADVERBS, breaksAfter, isNumber, NEGATIONS, PERSON_NOUNS, TIME_NOUNS, type Token, tokensOf } from './tokens.js';
import { expectedVerb, guessedVerb, isFinite, type VerbForm, verbOf } from './verbs.js';

/** Whether a clause states a current fact, a plan, a wish, a former fact, or something hypothetical. */
export type Modality = 'fact' | 'plan' | 'wish' | 'former' | 'unreal';

/** A parsed clause. Indexes refer to `tokens`. */
export interface Clause {
  readonly tokens: readonly Token[];
  /** `self`: I; `group`: we; `mine`: my …. */
  readonly subject: 'self' | 'group' | 'mine';
  readonly subjectAt: number;
  /** Index of the end of the subject. */
  readonly groupAt: number;
  readonly negated: boolean;
  readonly modality: Modality;
  /** The main verb; for "hope to buy" it is "buy". Null: a form of "be". */
  readonly verb: VerbForm | null;
  /** Index of the first word after the verb. */
  readonly objectAt: number;
  readonly past: boolean;
}

/** Maximum number of words before the subject: "Two weeks ago on a Sunday morning, …". */
const MAX_LEAD = 9;
const LEAD_WORD =
  /^(?:and|but|so|also|plus|several|fortnight|now|lately|recently|currently|nowadays|today|tonight|yesterday|tomorrow|finally|actually|luckily|sadly|fortunately|unfortunately|these|this|that's|why|last|next|in|on|at|since|for|during|over|after|before|a|an|the|few|couple|of|my|ago|back|once|then|later|earlier|past|every|each|usually|sometimes|growing|up|as|kid|child|seriously|honestly|personally|btw|well|yes|no|yeah|oh|to|be|honest|hello|hi|hey|hola)$/;
const MONTH: ReadonlySet<string> = new Set(MONTHS);
const SUBORDINATE = /^(?:when|while|because|although|though|since|after|before|once|until|ever|as)$/;

export const parseClause = (text: string): Clause | null => {
  const whole = tokensOf(text);
  const inFront = findSubject(whole);
  const tokens = inFront === null ? withoutLead(whole) : whole;
  const subjectAt = inFront ?? findSubject(tokens);
  if (subjectAt === null) return null;
  const subject = { i: 'self', we: 'group' }[tokens[subjectAt]?.key ?? ''] ?? 'mine';
  const groupAt = subject === 'mine' ? endOfNounPhrase(tokens, subjectAt) : endOfCompany(tokens, subjectAt);
  if (groupAt === null) return null;
  const group = readVerbGroup(tokens, groupAt);
  return group === null ? null : { tokens, subject: subject as Clause['subject'], subjectAt, groupAt, ...group };
};

const findSubject = (tokens: readonly Token[]): number | null => {
  const from = SUBORDINATE.test(tokens[0]?.key ?? '') ? tokens.findIndex((token) => /,$/.test(token.text)) + 1 : 0;
  if (from === 0 && SUBORDINATE.test(tokens[0]?.key ?? '') && !isTimeLead(tokens)) return null;
  // "One of my hens hatched six chicks"
  if (
    /^(?:one|two|three|four|five|some|both|all|most|half|many)$/.test(tokens[from]?.key ?? '') &&
    tokens[from + 1]?.key === 'of' &&
    /^(?:my|our)$/.test(tokens[from + 2]?.key ?? '')
  )
    return from + 2;
  for (let index = from; index < Math.min(tokens.length, from + MAX_LEAD); index += 1) {
    const { key } = tokens[index] as Token;
    if (/^(?:i|we)$/.test(key)) return index;
    if (/^(?:my|our)$/.test(key)) {
      // "In my job I …" starts with a place, "my sister is …" with its subject.
      const behind = /^(?:in|on|at|for|to|with|after|before|during|since|from|of|as)$/.test(
        tokens[index - 1]?.key ?? '',
      );
      if (!behind) return index;
      continue;
    }
    const inLead =
      LEAD_WORD.test(key) ||
      TIME_NOUNS.has(key) ||
      /^(?:days|weeks|months|years)$/.test(key) ||
      /^(?:mon|tues?|wed|thurs?|fri|sat|sun)$/.test(key) ||
      isNumber(key) ||
      MONTH.has(key) ||
      ADVERBS.has(key) ||
      /^(?:in|on|at|during|after|for|since|as)$/.test(tokens[from]?.key ?? '') ||
      key === '' ||
      from > 0;
    if (!inLead) return null;
  }
  return null;
};

/** "Besides the workshops, I offer mentoring": only the main clause, because the lead may contain a condition. */
const withoutLead = (tokens: readonly Token[]): readonly Token[] => {
  if (
    /^(?:if|unless|when|whenever|while|because|although|though|until|what|how|imagine|even|as)$/.test(
      tokens[0]?.key ?? '',
    )
  )
    return tokens;
  const isOpening =
    /^(?:after|before|since|besides|despite|by)$/.test(tokens[0]?.key ?? '') && /ing$/.test(tokens[1]?.key ?? '');
  const at = tokens.findIndex(
    ({ key }, index) =>
      /^(?:i|we)$/.test(key) && (isOpening || /[,;]$|^[-–—]+$/.test(tokens[index - 1]?.text ?? '')) && index <= 14,
  );
  return at < 0 ? tokens : tokens.slice(at);
};

const isTimeLead = (tokens: readonly Token[]): boolean =>
  /^(?:since|after|before|once)$/.test(tokens[0]?.key ?? '') &&
  tokens.slice(1, 3).some(({ key }) => TIME_NOUNS.has(key) || isNumber(key)) &&
  !tokens.slice(1, 3).some(({ key }) => /^(?:i|we|my|our)$/.test(key));

/** "I and my wife", "my brother and I". */
const endOfCompany = (tokens: readonly Token[], subject: number): number | null => {
  if (tokens[subject + 1]?.key !== 'and') return subject + 1;
  for (let index = subject + 2; index < Math.min(tokens.length, subject + 7); index += 1) {
    if (isVerbAt(tokens, index)) return index > subject + 2 ? index : null;
  }
  return null;
};

const MAX_NOUN_PHRASE = 7;
const endOfNounPhrase = (tokens: readonly Token[], subject: number): number | null => {
  for (let index = subject + 2; index <= Math.min(tokens.length - 1, subject + MAX_NOUN_PHRASE); index += 1) {
    if (/^(?:i|we|you|it|that|which|who|because|to)$/.test(tokens[index]?.key ?? '')) return null;
    if (isVerbAt(tokens, index)) return index;
  }
  return null;
};

const AUXILIARY =
  /^(?:am|is|are|was|were|be|has|have|had|does|do|did|will|can|cannot|can't|won't|isn't|aren't|wasn't|weren't|doesn't|don't|didn't|hasn't|haven't|used|would|could|might|should|may|must|never|(?:would|could|should|might|must)'ve)$/;
const isVerbAt = (tokens: readonly Token[], index: number): boolean => {
  const { key } = tokens[index] as Token;
  if (AUXILIARY.test(key)) return true;
  // "my friend keeps bees": the noun phrase is complete.
  if (/^(?:my|our) friends?$/.test(`${tokens[index - 2]?.key ?? ''} ${tokens[index - 1]?.key ?? ''}`))
    return (
      /^(?:third|past)$/.test(expectedVerb(key)?.form ?? '') ||
      (/s$/.test(tokens[index - 1]?.key ?? '') && verbOf(key)?.form === 'base')
    );
  const before = tokens[index - 1]?.key ?? '';
  // "my friend Jo skates", "my sister cut her hair"
  const isBehindPerson = PERSON_NOUNS.has(before) || /^\p{Lu}\p{Ll}+$/u.test(tokens[index - 1]?.text ?? '');
  if (isBehindPerson && isFinite(key)) return true;
  const verb = verbOf(key);
  if (verb === null && guessedVerb(key, false) !== null) return isBehindNoun(tokens, index);
  if (verb === null || verb.form === 'gerund') return false;
  if (verb.form === 'base') return /(?:s|kids|children|people|family|parents)$/.test(before) && !/ss$/.test(before);
  // "my work starts": a plural noun looks like a third-person verb.
  return (
    verb.form === 'past' ||
    /^(?:loves|likes|lives|works|goes|has|hates|owns|enjoys|prefers|teaches|studies|plays|speaks|runs|wants|needs|gets|takes|makes|moves|starts|comes|eats|drinks|hates|collects|travels|volunteers|opens|closes|begins|becomes|belongs|buys|chooses|continues|creates|decides|does|earns|enjoys|expects|flies|follows|grows|includes|insists|knows|learns|leaves|loses|meets|misses|owes|pays|produces|provides|publishes|reads|requires|retires|says|sells|sends|serves|sings|sleeps|speaks|spends|takes|thinks|tries|visits|wears|wins|writes)$/.test(
      key,
    )
  );
};

/** "My old band reunited after ten years"; in "my overworked aunt" the participle describes the noun. */
const isBehindNoun = (tokens: readonly Token[], index: number): boolean =>
  !/^(?:my|our|a|an|the|and|very|so|of|newly|recently)$/.test(tokens[index - 1]?.key ?? '') &&
  !breaksAfter(tokens[index]) &&
  /^(?:an?|the|my|our|his|her|their|me|us|him|them|at|on|up|out|off|back|into|for|from|over|through|around|down|away|after|every|some|all|two|three|four|five|six|seven|eight|nine|ten|last|yesterday|this)$/.test(
    tokens[index + 1]?.key ?? '',
  );

interface VerbGroup {
  readonly negated: boolean;
  readonly modality: Modality;
  readonly verb: VerbForm | null;
  readonly objectAt: number;
  readonly past: boolean;
}

/** Verbs before the main verb that only express its modality. */
const PLANNING =
  /^(?:want|wants|wanted|wanting|hope|hopes|hoping|plan|plans|planning|planned|aim|aiming|intend|intending|need|needs|trying|try|tries|going|about|decided|scheduled|set|supposed|ready|preparing|considering|thinking|dream|dreaming|saving|looking|gonna|booked|excited|determined|keen|eager|stoked|pumped|thrilled|off|hopeful|meaning|meant|agreed|offered|promised)$/;
const CARRYING =
  /^(?:started|start|starting|began|begun|continue|continued|continues|continuing|managed|learned|learnt|learning|learn|got|get|had|have|has|able|tried|keep|kept|keeps|helped|ended|spent|stopped|quit|went|go|goes|going|used|love|loves|like|likes|enjoy|enjoys|loved|hate|hates|prefer|prefers|decided|volunteer|volunteered|lucky)$/;

const readVerbGroup = (tokens: readonly Token[], from: number): VerbGroup | null => {
  let negated = false;
  let modality: Modality = 'fact';
  let past = false;
  let auxiliary: 'be' | 'have' | 'do' | 'none' = 'none';
  for (let index = from; index < tokens.length; index += 1) {
    const { key } = tokens[index] as Token;
    const next = skipAdverbs(tokens, index + 1);
    const following = tokens[next]?.key ?? '';
    if (NEGATIONS.has(key)) {
      negated = true;
      if (/^(?:don't|doesn't)$/.test(key)) auxiliary = 'do';
      if (key === "didn't") [auxiliary, past] = ['do', true];
      if (/^(?:haven't|hasn't|hadn't)$/.test(key)) [auxiliary, past] = ['have', true];
      if (/^(?:isn't|aren't)$/.test(key)) auxiliary = 'be';
      if (/^(?:wasn't|weren't)$/.test(key)) [auxiliary, past] = ['be', true];
      if (/^(?:won't)$/.test(key)) modality = 'plan';
      if (key === "couldn't" && WAS_NOT_ABLE.test(following)) {
        [auxiliary, past] = ['do', true];
        continue;
      }
      if (/^(?:wouldn't|couldn't|shouldn't|mustn't)$/.test(key)) return unreal(index);
      if (isPredicate(auxiliary, following, tokens, next))
        return { negated, modality, verb: null, objectAt: next, past };
      continue;
    }
    if (key === 'no' && following === 'longer') {
      negated = true;
      index += 1;
      continue;
    }
    if (key === 'kind' || key === 'sort') {
      if (following !== 'of' && tokens[index + 1]?.key !== 'of') return null;
      index += 1;
      continue;
    }
    if (key === 'will' || key === 'shall') {
      modality = 'plan';
      continue;
    }
    if (key === 'can') {
      // "I can finally do a handstand"
      if (/^(?:finally|now|already)$/.test(tokens[index + 1]?.key ?? '')) continue;
      if (!/^(?:speak|play|swim|drive|cook|sing|dance|only|read|ski|type|code|juggle|not)$/.test(following))
        return unreal(index);
      continue;
    }
    if (key === 'would') {
      if (following === 'rather' && verbOf(tokens[next + 1]?.key ?? '')?.form === 'base') {
        modality = 'wish';
        index = next;
        continue;
      }
      if (!/^(?:like|love)$/.test(following) || tokens[next + 1]?.key !== 'to') return unreal(index);
      modality = 'wish';
      index = next + 1;
      continue;
    }
    if (/^(?:could|might|may|should|must|ought|(?:would|could|should|might|must)'ve)$/.test(key)) return unreal(index);
    if (/^(?:am|is|are|was|were|be|been|being)$/.test(key)) {
      past ||= /^(?:was|were)$/.test(key);
      auxiliary = 'be';
      if (following === 'no' || following === 'not' || NEGATIONS.has(following)) continue;
      if (following === 'going' && tokens[next + 1]?.key === 'to') {
        if (verbOf(tokens[next + 2]?.key ?? '')?.form === 'base' || tokens[next + 2]?.key === 'be') {
          modality = past ? 'unreal' : 'plan';
          index = next + 1;
          continue;
        }
      }
      if (isPredicate('be', following, tokens, next)) return { negated, modality, verb: null, objectAt: next, past };
      continue;
    }
    if (/^(?:have|has|had)$/.test(key)) {
      const participle = following === 'been' || (expectedVerb(following)?.form === 'past' && following !== 'left');
      if (participle || NEGATIONS.has(following)) {
        [auxiliary, past] = ['have', true];
        continue;
      }
      if (tokens[index + 1]?.key === 'to') {
        past ||= key === 'had';
        if (key !== 'had') modality = 'plan';
        index += 1;
        continue;
      }
      return { negated, modality, verb: verbOf('have'), objectAt: index + 1, past: past || key === 'had' };
    }
    if (/^(?:do|does|did)$/.test(key) && (NEGATIONS.has(following) || verbOf(following)?.form === 'base')) {
      auxiliary = 'do';
      past ||= key === 'did';
      continue;
    }
    if (key === 'used' && tokens[index + 1]?.key === 'to') {
      modality = 'former';
      past = true;
      index += 1;
      continue;
    }
    if (ADVERBS.has(key)) continue;
    const inner = innerVerb(tokens, index);
    if (inner !== null && PLANNING.test(key)) {
      modality =
        modality === 'unreal'
          ? modality
          : /^(?:want|wanted|dream|hop)/.test(key) && modality === 'fact'
            ? 'plan'
            : modality === 'fact'
              ? 'plan'
              : modality;
      past = /^(?:wanted|tried)$/.test(key);
      index = inner - 1;
      continue;
    }
    if (inner !== null && CARRYING.test(key) && !/^(?:love|like|enjoy|hate|prefer)/.test(key)) {
      past ||= verbOf(key)?.form === 'past';
      index = inner - 1;
      continue;
    }
    const verb = expectedVerb(key) ?? guessedVerb(key, auxiliary === 'be');
    if (
      verb === null ||
      ((breaksAfter(tokens[index]) || /-$/.test(tokens[index]?.text ?? '')) && index < tokens.length - 1)
    )
      return null;
    return { negated, modality, verb, objectAt: index + 1, past: past || (verb.form === 'past' && auxiliary !== 'be') };
  }
  return null;
};

/** "I couldn't get a visa"; in "I couldn't agree more" and "I couldn't be happier" nothing failed. */
const WAS_NOT_ABLE =
  /^(?:get|find|finish|make|attend|join|afford|pay|buy|sell|travel|fly|drive|walk|play|visit|go|come|sleep|open|enter|reach|renew|book|rent|submit|start|move|work|read|write)$/;

const unreal = (index: number): VerbGroup => ({
  negated: false,
  modality: 'unreal',
  verb: null,
  objectAt: index + 1,
  past: false,
});

const skipAdverbs = (tokens: readonly Token[], from: number): number => {
  let index = from;
  while (index < tokens.length && ADVERBS.has(tokens[index]?.key ?? '')) index += 1;
  return index;
};

/**
 * The verb after "to", or an "-ing" form directly after: "hope to buy", "started painting", "thinking about moving".
 */
const innerVerb = (tokens: readonly Token[], index: number): number | null => {
  let at = skipAdverbs(tokens, index + 1);
  if (/^(?:about|of|up|forward)$/.test(tokens[at]?.key ?? '')) at += 1;
  if (tokens[at]?.key === 'to') {
    at = skipAdverbs(tokens, at + 1);
    return expectedVerb(tokens[at]?.key ?? '')?.form === 'base' || tokens[at]?.key === 'be' ? at : null;
  }
  return expectedVerb(tokens[at]?.key ?? '')?.form === 'gerund' ? at : null;
};

/** "was drafted by a team", "am networking with investors"; "am talented" is a predicate. */
const passiveOrProgressive = (tokens: readonly Token[], at: number): VerbForm | null => {
  const { key, text } = tokens[at] as Token;
  // "My name is Xiaoming"
  if (/^\p{Lu}\p{Ll}/u.test(text)) return null;
  return key.endsWith('ing') || tokens[at + 1]?.key === 'by' ? guessedVerb(key, true) : null;
};

/** "was shortlisted", "am charging"; in "was cut from wood" and "am fit" the word describes. */
const verbInPredicate = (word: string): VerbForm | null => {
  const verb = verbOf(word) ?? (/(?:ed|ing)$/.test(word) ? expectedVerb(word) : null);
  return verb?.form === 'past' && verb.needsMore === true && NO_DEED.test(word) ? null : verb;
};
/** Participles that are mostly adjectives. */
const NO_DEED =
  /^(?:settled|separated|stuck|torn|shaken|frozen|hidden|lit|bent|upset|tired|experienced|touched|stressed|burnt|attached|convinced|prepared|qualified|skilled)$/;

/** Whether the words after "be" are a predicate ("a nurse", "in Rome") and not another verb ("working", "promoted"). */
const isPredicate = (auxiliary: string, following: string, tokens: readonly Token[], at: number): boolean => {
  if (auxiliary !== 'be') return false;
  if (following === '') return true;
  if (PLANNING.test(following) && innerVerb(tokens, at) !== null) return false;
  if (/^(?:able|lucky)$/.test(following) && innerVerb(tokens, at) !== null) return false;
  const verb = verbInPredicate(following) ?? (/ing$|ed$/.test(following) ? passiveOrProgressive(tokens, at) : null);
  return (
    verb === null ||
    verb.form === 'base' ||
    verb.form === 'third' ||
    (verb.form === 'past' &&
      /^(?:engaged|married|divorced|separated|retired|called|named|set|left|lost|broken|hurt|used)$/.test(following))
  );
};
