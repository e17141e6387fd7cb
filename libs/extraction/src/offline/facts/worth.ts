import type { Clause } from './clause.js';
import { ADVERBS, EMPTY, hasContent, isName, isNumber, PERSON_NOUNS, TIME_NOUNS, type Token } from './tokens.js';
import { verbOf } from './verbs.js';

/** Intransitive: "I graduated." needs no object. */
const WHOLE_ALONE =
  /^(?:die|graduate|retire|marry|divorce|resign|relocate|separate|elope|propose|smoke|drive|swim|dance|cook|meditate|drink)$/;
const SKILL =
  /^(?:surf|ski|skate|sew|knit|sing|sail|draw|paint|juggle|row|climb|snowboard|skateboard|crochet|weld|embroider)$/;
/** What people are, have become, or suffer from: states that are worth remembering. */
const STATUS =
  /^(?:allergic|vegan|vegetarian|pescatarian|intolerant|diabetic|coeliac|celiac|pregnant|married|single|engaged|divorced|widowed|separated|retired|unemployed|jobless|homeless|deaf|blind|lactose|gluten|colorblind|colourblind|dyslexic|autistic|left-handed|right-handed|ill|sick|injured|bilingual|fluent|trans|transgender|gay|lesbian|bisexual|straight|nonbinary|adopted|born|raised|scared|afraid|terrified|obsessed|passionate|addicted|hooked|into|keen|interested|tall|asthmatic|bald|jewish|muslim|christian|catholic|buddhist|hindu|atheist|religious|called|named|self-employed|self-taught|freelance|torn|lactose-intolerant|gluten-free|based|sober|insured|available|located|involved)$/;
const ROLE_ARTICLES = /^(?:a|an|the|another)$/;
const NOT_A_ROLE =
  /^(?:bit|little|lot|huge|big|great|good|while|mess|fan|sucker|pleasure|joy|relief|blast|challenge|reminder|thing|lucky|long|real|total|tough|hard|nice|work|part|lifesaver|must|place|way|one|person|reason|best|only|beautiful|amazing|fun|source|dream|symbol|sign|great|wonderful|perfect|day|time)$/;
const NOT_LIKED =
  /^(?:how|that|this|it|them|him|her|you|your|when|what|to|being|seeing|hearing|knowing|having|making|getting|those|these|the|everything|all|every|their|his|its|helping|sharing|learning|connecting|finding|doing|giving|exploring|creating|expressing|spending|trying|meeting|bringing|talking|chatting)$/;
/** Verbs that matter only with a specific object. */
const EVERYDAY =
  /^(?:go|come|see|watch|read|play|eat|drink|try|listen|look|have|get|make|take|do|find|need|want|put|set|bring|give|learn|share|change|start|stop|keep|spend|meet|call|run|walk|study|practice|use|lead|support|suffer|call|send|collect|pick|choose|hang|discover|explore|create|celebrate|switch|hold|hit|talk|chat|turn|chase|face|push|share|show|add|connect|express|help|offer|provide|reach|step|balance|commit|figure|remind|inspire|motivate|encourage|serve|struggle|fight|drop|cause|bond|mix|sort|overcome|tackle|challenge|commit|add|gather|post|remember|forget|rely|recommend|respect|attempt|pursue|receive|build|grow|develop)$/;
const NOTHING_HAD = words(
  'fun blast time lot lots stuff chance luck idea clue doubt feeling faith problem trouble issue question look peek break rest sleep say word talk chat conversation moment memory memories hope wait great good amazing awesome love heart hand minute second step steps hold care use sense way message point side better ready used lost done excited nervous tired stuck busy stressed overwhelmed there together going back started along better through involved inspired closer stronger worse comfortable lost emotional goosebumps creative passionate motivated hooked need support fulfillment impact difference progress mind control advantage sure pride joy balance focus patience plenty lessons lesson setback setbacks ups downs doubts obstacles hurdles feedback connections attention',
);

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}

/**
 * Whether a clause, cut to its fact, is worth looking up later. Returns false for anything that is not understood.
 *
 * @param kept the clause's words up to the cut
 */
export const isWorthKeeping = (clause: Clause, kept: readonly Token[]): boolean => {
  if (clause.modality === 'unreal') return false;
  const object = kept.slice(clause.objectAt);
  if (clause.verb === null) return isStatus(clause, object);
  const { base, kind } = clause.verb;
  // "I had to say goodbye to Rex"
  if (base === 'say' && /^(?:goodbye|farewell)$/.test(object[0]?.key ?? '')) return contentOf(object).length > 1;
  // "My doctor told me to eat less salt"
  if (/^(?:tell|ask)$/.test(base) && clause.subject === 'mine' && object[0]?.key === 'me' && object[1]?.key === 'to')
    return contentOf(object).length > 1;
  // "I have been asked to judge a contest"
  if (/^(?:ask|tell)$/.test(base) && isPassive(clause) && object[0]?.key === 'to') return contentOf(object).length > 1;
  if (/^(?:think|tell|say|ask|feel|hope|decide|support)$/.test(base)) return false;
  if (/^(?:owe|beat)$/.test(base)) return object.some((token) => isName(token, 1) || isNumber(token.key));
  if (base === 'hear')
    return object.some((token) => isName(token, 1)) && !/^(?:that|great|good)$/.test(object[0]?.key ?? '');
  // "I have known Ana for ten years"
  if (base === 'know')
    return (
      clause.past &&
      /^(?:have|has)$/.test(clause.tokens[clause.groupAt]?.key ?? '') &&
      object.some(({ key }) => /^(?:for|since)$/.test(key)) &&
      contentOf(object).length > 0
    );
  if (base === 'do' && object.slice(0, 3).some(({ key }) => PRACTISED.test(key))) return true;
  // "I am considering going into teaching"
  if (base === 'go' && object[0]?.key === 'into' && clause.modality !== 'fact' && contentOf(object).length > 0)
    return true;
  if (base === 'look')
    return (
      (/^(?:for|into)$/.test(object[0]?.key ?? '') && contentOf(object.slice(1)).length > 0) ||
      (object[0]?.key === 'forward' && contentOf(object.slice(1)).filter(({ key }) => !NOTHING_HAD.has(key)).length > 1)
    );
  if (base === 'forget' && !clause.negated) return false;
  if (/^(?:remember|forget)$/.test(base) && /^(?:when|how|what|why|that|some)$/.test(object[0]?.key ?? ''))
    return false;
  if (happenedToMine(clause)) return true;
  const content = contentOf(object).filter(({ key }) => !NOTHING_HAD.has(key));
  // "I have taken up golf", "I have gone vegan"
  if (base === 'take' && object[0]?.key === 'up' && content.length > 0) return true;
  if (base === 'go' && /^(?:vegan|vegetarian|freelance|gluten-free|sober|blind|deaf|bald)$/.test(object[0]?.key ?? ''))
    return true;
  if (base === 'get' && clause.modality === 'fact' && clause.past && content.some(({ key }) => GOT.has(key)))
    return true;
  // "I am hosting Christmas"
  if (
    /^(?:host|celebrate)$/.test(base) &&
    /^(?:christmas|easter|thanksgiving|eid|diwali|hanukkah|ramadan)$/.test(object[0]?.key ?? '')
  )
    return true;
  if (base === 'get' && STATUS.test(object[0]?.key ?? '')) return true;
  if (/^(?:break|split)$/.test(base) && object[0]?.key === 'up') return true;
  if (base === 'pass' && object[0]?.key === 'away') return true;
  if (clause.negated && clause.subject === 'self' && isForbidden(clause, base)) return content.length > 0;
  if (base === 'become') return isStatus(clause, object) || object.slice(0, 3).some(({ key }) => OFFICE.test(key));
  if (kind === 'taste') return isTaste(object, content);
  // "I am learning to surf", "I sing in a choir"
  if (
    SKILL.test(base) &&
    !clause.past &&
    clause.modality === 'fact' &&
    object.every(({ key }) => !/^(?:with|to|about)$/.test(key))
  )
    return true;
  // "My first exhibition opens on Friday"
  if (
    clause.subject === 'mine' &&
    /^(?:open|close|begin|start)$/.test(base) &&
    object.some(({ key }) => /day$/.test(key))
  )
    return true;
  // "My aunt lent me a boat"
  if (
    clause.subject === 'mine' &&
    /^(?:me|us)$/.test(object[0]?.key ?? '') &&
    /^(?:an?|two|three|four|five|some)$/.test(object[1]?.key ?? '')
  )
    return content.length > 0;
  // "My uncle's firm wants to sponsor us"
  if (clause.subject === 'mine' && /^(?:me|us)$/.test(object[0]?.key ?? '') && APPOINTS.test(base)) return true;
  // "My friend got fired"
  if (base === 'get' && DISMISSED.test(object[0]?.key ?? '')) return true;
  if (WHOLE_ALONE.test(base)) return clause.modality !== 'plan' || content.length > 0;
  if (content.length === 0)
    return clause.negated && object.length === 0 && clause.subject === 'self' ? false : onlyNumbers(object, base);
  if (clause.subject === 'mine' && kind === 'light') return content.length > 1 || isParticular(clause, object, content);
  if (base === 'go' && clause.past && (verbOf(object[0]?.key ?? '')?.form === 'gerund' || goesSomewhere(object)))
    return true;
  if (clause.modality === 'fact' && beginsSomething(base, object)) return true;
  if (EVERYDAY.test(base) || clause.verb.needsMore === true) return isParticular(clause, object, content);
  return true;
};

const APPOINTS =
  /^(?:sponsor|hire|promote|fund|publish|represent|sign|adopt|evict|fire|sue|nominate|elect|appoint|sack|exhibit|interview|commission)$/;
const DISMISSED =
  /^(?:fired|hired|sacked|promoted|laid|evicted|expelled|arrested|elected|mugged|robbed|ruined|deported)$/;

/** "became head chef": needs no article. */
const OFFICE =
  /^(?:captain|chair|chairman|chairwoman|chairperson|champion|champions|chancellor|chef|chief|coach|conductor|director|editor|foreman|headmaster|headmistress|headteacher|leader|manager|mayor|partner|partners|president|principal|producer|professor|secretary|supervisor|treasurer|vice-president)$/;

const PRACTISED =
  /^(?:yoga|pilates|karate|judo|taekwondo|aikido|boxing|kickboxing|gymnastics|ballet|aerobics|zumba|crossfit|parkour|archery|improv|ceramics|pottery|origami|calligraphy|woodworking|carpentry)$/;

/** The content words of the main part: "started when I was young" does not say what. */
const contentOf = (tokens: readonly Token[]): Token[] => {
  const end = tokens.findIndex(
    ({ key }, index) => index > 0 && /^(?:when|while|because|since|until|if|as|so|although|though)$/.test(key),
  );
  return (end < 0 ? tokens : tokens.slice(0, end)).filter(
    (token) =>
      hasContent(token) &&
      !TIME_NOUNS.has(token.key) &&
      !/^(?:when|while|because|since|until|if|although|though)$/.test(token.key),
  );
};

const isPassive = ({ tokens, objectAt, verb }: Clause): boolean =>
  verb?.form === 'past' && /^(?:was|were|been|got|am|are|is)$/.test(tokens[objectAt - 2]?.key ?? '');

/** "my car was stolen", "my street was hit by a storm". */
const happenedToMine = ({ subject, tokens, objectAt }: Clause): boolean =>
  subject === 'mine' &&
  /^(?:stolen|robbed|cancelled|canceled|postponed|delayed|rejected|accepted|approved|published|damaged|destroyed|flooded|wrecked|totaled|hit|sold|repaired|fixed|closed)$/.test(
    tokens[objectAt - 1]?.key ?? '',
  ) &&
  /^(?:was|were|got|been|is|are)$/.test(tokens[objectAt - 2]?.key ?? '');

/** "can't have dairy", "don't eat meat". */
const isForbidden = ({ tokens, subjectAt, objectAt }: Clause, base: string): boolean =>
  /^(?:eat|drink)$/.test(base) ||
  (base === 'have' && tokens.slice(subjectAt, objectAt).some(({ key }) => /^(?:can't|cannot)$/.test(key)));

/** "went to the beach", "went to a museum". */
const goesSomewhere = ([first, second, third]: readonly Token[]): boolean =>
  first?.key === 'to' && /^(?:the|a|an|my|our)$/.test(second?.key ?? '') && third !== undefined && hasContent(third);

/** "created a library", "met some investors", "am doing kickboxing": one content word is enough. */
const beginsSomething = (base: string, [first, second]: readonly Token[]): boolean =>
  (/^(?:create|build|meet|receive|develop|launch)$/.test(base) &&
    /^(?:a|an|some|two|three|four)$/.test(first?.key ?? '') &&
    second !== undefined &&
    hasContent(second) &&
    !NOTHING_HAD.has(second.key)) ||
  (base === 'do' &&
    /^\p{L}{4,}ing$/u.test(first?.key ?? '') &&
    !/^(?:something|everything|nothing|anything)$/.test(first?.key ?? ''));

const onlyNumbers = (object: readonly Token[], base: string): boolean =>
  object.some(({ key }) => isNumber(key)) && /^(?:earn|cost|weigh|save|pay|work|run|walk|score)$/.test(base);

const isTaste = (object: readonly Token[], content: readonly Token[]): boolean => {
  if (content.length === 0) return false;
  const [first, second] = object.filter(({ key }) => !ADVERBS.has(key));
  if (first === undefined) return false;
  if (first.key === 'to') return verbOf(second?.key ?? '') !== null && content.length > 0;
  if (first.key === 'being') return /^(?:outdoors|outside|in|by|near|around|on)$/.test(second?.key ?? '');
  if (first.key === 'the') return content.length > 1 || !EMPTY.has(second?.key ?? '');
  if (
    /^(?:that|how|it|this|those|these|you|your|when|what|them|him|her|everything|being|seeing|knowing|hearing|having)$/.test(
      first.key,
    )
  )
    return false;
  return !NOT_LIKED.test(first.key) || content.length > 1;
};

const isStatus = (clause: Clause, object: readonly Token[]): boolean => {
  const at = object.findIndex(({ key }) => !ADVERBS.has(key) && key !== '');
  const first = object[at];
  if (first === undefined) return false;
  const rest = object.slice(at + 1);
  const content = contentOf(object);
  if (clause.subject === 'mine') return isStatusOfMine(clause, object, content);
  // "more of a cat person", "not much of a cook"
  if (/^(?:more|much|bit)$/.test(first.key) && rest[0]?.key === 'of' && /^an?$/.test(rest[1]?.key ?? ''))
    return contentOf(rest).length > 0;
  // "a bit allergic to nuts"
  if (first.key === 'a' && /^(?:bit|little|tad)$/.test(rest[0]?.key ?? '') && STATUS.test(rest[1]?.key ?? ''))
    return isStatus(clause, rest.slice(1));
  if (STATUS.test(first.key))
    return (
      !/^(?:involved|into|keen|interested|passionate|scared|afraid|terrified|obsessed|addicted|hooked|available|tall|raised|based|located|torn)$/.test(
        first.key,
      ) || contentOf(rest).length > 0
    );
  if (
    /^(?:grateful|thankful|busy|swamped|nervous|worried|excited|pumped|stoked|thrilled|proud|responsible)$/.test(
      first.key,
    )
  )
    return /^(?:for|with|at|of|about|in)$/.test(rest[0]?.key ?? '') && contentOf(rest).length > 1;
  if (isNumber(first.key))
    return (
      rest.length === 0 ||
      /^(?:years?|m|cm|feet|foot|kg|months?|weeks?|and|now|today)$/.test(rest[0]?.key ?? '') ||
      /^tall$/.test(rest.at(-1)?.key ?? '')
    );
  if (ROLE_ARTICLES.test(first.key)) {
    const role = rest.find(({ key }) => hasContent({ text: key, key }) || NOT_A_ROLE.test(key));
    if (
      role === undefined ||
      role.key === 'fan' ||
      (rest[0]?.key === 'big' && rest[1]?.key === 'fan') ||
      rest.slice(0, 3).some(({ key }) => key === 'fan')
    )
      return contentOf(rest).length > 1;
    return (
      !NOT_A_ROLE.test(rest[0]?.key ?? '') &&
      contentOf(rest).length > 0 &&
      (first.key !== 'the' || contentOf(rest).length > 1)
    );
  }
  // "good at fixing old radios", "with a bank for six years"
  if (/^(?:good|bad|great|terrible|awful|hopeless|rubbish|brilliant|decent|better|best|useless)$/.test(first.key))
    return (
      /^(?:at|with)$/.test(rest[0]?.key ?? '') &&
      contentOf(rest).length > 0 &&
      !/^(?:it|this|that|being|hiding|saying)$/.test(rest[1]?.key ?? '')
    );
  if (first.key === 'with') return rest.some(({ key }) => /^(?:for|since)$/.test(key)) && contentOf(rest).length > 0;
  // "I have not been to church since May"
  if (first.key === 'to')
    return (
      rest.some((token) => isName(token, 1)) ||
      contentOf(rest).length > 1 ||
      (contentOf(rest).length > 0 && rest.some(({ key }) => /^(?:since|for|twice|once|times)$/.test(key)))
    );
  // "part of the fire brigade", "all about romcoms".
  if (/^(?:part|all|about)$/.test(first.key) && /^(?:of|about)$/.test(rest[0]?.key ?? first.key))
    return contentOf(rest).length > 1 || (first.key !== 'part' && contentOf(rest).length > 0);
  if (/^(?:teammates|friends|partners|roommates|colleagues|neighbou?rs)$/.test(first.key))
    return contentOf(rest).length > 0;
  if (/^(?:from|in|at|on)$/.test(first.key)) {
    if (
      /^(?:on|in|at)$/.test(first.key) &&
      !(rest[0]?.key === 'charge' && rest[1]?.key === 'of') &&
      /^(?:way|love|mood|zone|middle|edge|fire|track|board|top|cloud|same|good|great|awe|lot|mode|process|bad|charge|front|shape|right)$/.test(
        rest.find(({ key }) => !/^(?:the|my|a|an)$/.test(key))?.key ?? '',
      )
    )
      return false;
    return rest.some((token) => isName(token, 1)) || (contentOf(rest).length > 0 && first.key !== 'at');
  }
  // "my boss is Ana", "my boss is Dr Ana Silva now"
  const name = rest.at(-1)?.key === 'now' ? rest.slice(0, -1) : rest;
  if (name.length < LONGEST_NAME && [first, ...name].every((token) => isName(token, 1))) return true;
  return isStage(first, rest);
};

/** Words of a person's name, with a title. */
const LONGEST_NAME = 4;

/** "halfway through a novel about bees", "down to three days a week", "back from Oslo", "behind with my essays". */
const isStage = (first: Token, [next, ...rest]: readonly Token[]): boolean =>
  (/^(?:halfway|midway|partway)$/.test(first.key)
    ? /^(?:through|into|to|up)$/.test(next?.key ?? '')
    : /^(?:back|down|up|behind|out|off|away|done|finished|through|over|ahead)$/.test(first.key) &&
      /^(?:from|in|at|on|to|with|of)$/.test(next?.key ?? '') &&
      !/^(?:up|out|down)\s(?:in|on|at|of|with)$/.test(`${first.key} ${next?.key ?? ''}`)) &&
  !/^(?:good|great|bad|track|start|date|mood|worries|worry|moon|par|speed|feet|game|talk|luck|words|shape|hook|something|mischief|edge|horse|saddle|schedule|way|place|business|action|normal)$/.test(
    rest.find(({ key }) => !/^(?:the|my|a|an|our)$/.test(key))?.key ?? '',
  ) &&
  contentOf(rest).length > 0;

/** "my name is Ana", "my sister is a doctor", "my rent is 950". */
const isStatusOfMine = (clause: Clause, object: readonly Token[], content: readonly Token[]): boolean => {
  const subject = clause.tokens.slice(clause.subjectAt + 1, clause.groupAt);
  const person = subject.some(({ key }) => PERSON_NOUNS.has(key));
  if (object.some(({ key }) => isNumber(key))) return true;
  if (person) return isStatus({ ...clause, subject: 'self' }, object);
  const attribute = subject.some(({ key }) =>
    /^(?:name|surname|favou?rite|birthday|job|address|email|e-mail|number|rent|budget|hobby|hobbies|major|diet|allergy|size|city|country|hometown|language|nickname|salary|landlord|doctor|car|anniversary|blood|type|store|shop|studio|website|restaurant|cafe|gallery|go-to|signature)$/.test(
      key,
    ),
  );
  // "my novel is set in Norway", "my latest painting is called Low Tide"
  if (/^(?:set|based|called|named|titled|made|written|inspired|dedicated|filmed|aimed)$/.test(object[0]?.key ?? ''))
    return /^(?:in|on|after|of|from|out|by|to|at)$/.test(object[1]?.key ?? '')
      ? contentOf(object.slice(2)).length > 0
      : /^(?:called|named|titled)$/.test(object[0]?.key ?? '') && object.length > 1;
  // "my art is about the sea", "my goal is to open a studio".
  const tells = /^(?:a|an|to|about|from|in|my|of)$/.test(object.find(({ key }) => !ADVERBS.has(key))?.key ?? '');
  return content.length > (attribute ? 0 : tells && clause.subjectAt === 0 ? 1 : content.length);
};

const isParticular = (clause: Clause, object: readonly Token[], content: readonly Token[]): boolean => {
  const { verb } = clause;
  const base = verb?.base ?? '';
  const particular = object.some((token) => isName(token, 1) || isNumber(token.key) || /["“]/.test(token.text));
  const dated = clause.tokens.some(
    ({ key }) =>
      TIME_NOUNS.has(key) ||
      /^(?:every|once|twice|daily|weekly|weekends|days?|hours?|minutes|years|yesterday|today|tomorrow|tonight|ago|january|february|march|april|may|june|july|august|september|october|november|december)$/.test(
        key,
      ),
  );
  if (/^(?:have|own)$/.test(base))
    return (
      particular ||
      content.some(({ key }) => PERSON_NOUNS.has(key) || HAD.has(key)) ||
      (content.length > 1 && clause.subject !== 'mine') ||
      (dated && content.length > 0)
    );
  // "I have got an agent now"
  if (
    base === 'get' &&
    clause.past &&
    /^(?:an?|two|three)$/.test(object[0]?.key ?? '') &&
    content.some(({ key }) => HAD.has(key))
  )
    return true;
  if (/^(?:need|want)$/.test(base)) return particular || content.length > 1;
  return (
    particular ||
    content.length > 1 ||
    (dated && content.length > 0) ||
    (/^(?:read|play|eat|drink|learn|run|study|practice|collect|grow|start|stop|quit)$/.test(base) &&
      content.length > 0 &&
      (/^(?:fact|former)$/.test(clause.modality) || /^(?:learn|study|start|stop|quit)$/.test(base)))
  );
};

/** What is worth a record once it was got, however little else is said. */
const GOT = words(
  'car bike boat tattoo tattoos job promotion visa licence license degree diploma scholarship passport allotment mortgage puppy kitten dog cat braces piercing role grant award medal trophy',
);
/** Possessions, ailments and dates that are worth a record even in a short statement. */
const HAD = words(
  'car bike boat house apartment flat garden allergy allergies asthma diabetes flu cold degree license licence visa passport job interview appointment surgery operation piano guitar violin laptop phone tattoo tattoos pets twins siblings mortgage migraine migraines insomnia dyslexia anxiety adhd cancer meeting blog business company studio shop store farm cottage wheelchair glasses hobby collection ' +
    'agent manager sponsor apprentice trainee assistant intern tutor mentor publisher editor landlord lodger accountant lawyer offer promotion raise bonus grant scholarship commission contract deal gig audition exam exams deadline placement residency sabbatical ' +
    'van truck motorbike motorcycle camera workshop kiln darkroom website channel podcast newsletter patent franchise stall café cafe restaurant bakery salon gallery allotment greenhouse caravan scooter telescope drone',
);
