import { withoutEnd } from '@turnkeeper/domain';
import { breaksAfter, hasContent, isName, isNumber, type Token, tokensOf } from './tokens.js';

/** The speaker and optional words before the main verb. */
const I = String.raw`^(?:and |but |so |now,? |today,? )?(?:I|we) (?:(?:am|are|was|were|will|have|has|been|really|also|just|still|super|definitely|always|all|going to|trying to|tried to|want to|hope to|plan to|need to|had to|determined to|ready to|about to) )*`;
const resolve = (words: string): RegExp => new RegExp(`${I}(?:${words})`, 'iu');

/** Moods, resolutions and politeness: common to everyone and not worth looking up. */
const RESOLVES: readonly RegExp[] = [
  resolve(
    String.raw`(?:stay|stays|stayed|staying|remain|remaining|keep|keeping) (?:super |so |really )?(?:positive|focused|determined|strong|true|motivated|optimistic|calm|hopeful|busy)(?! on (?:my|the)\b| by \p{L}+ing\b)`,
  ),
  resolve(
    String.raw`(?:keep|kept|keeping) (?:on )?(?:using (?:my|our) (?:voice|platform)|going|pushing|grinding|plugging|moving|trying|striving|working hard|fighting|chasing|shining|dreaming)\b`,
  ),
  resolve(String.raw`(?:(?:dig|digging|dug) deep|step(?:ping|ped)? into the unknown)\b`),
  /\bget (?:the |some )?conversations? going\b|\bto be (?:more )?involved(?! (?:in|with)\b)/i,
  resolve(String.raw`(?:do|doing|feel|feeling) (?:ok|okay|well|good|fine|great|alright|better)\b`),
  resolve(
    String.raw`(?:wanted to (?:fill|let|tell|ask|thank|share|say|(?:capture|convey|show)(?! [^,;.]{3,40} and \p{L}))|(?:make|made|making) sure|(?:do|doing|did|try|trying) (?:my|our) best|keep (?:you|ya|everyone|them) (?:posted|updated|in the loop))\b`,
  ),
  resolve(
    String.raw`(?:make|making|made) (?:it|things|this|that|(?:my|the) [a-z ]{2,30}?)(?: isn't)? (?:happen|work|come true)\b`,
  ),
  resolve(
    String.raw`(?:take|takes|took) (?:some |a lot of |lots of )?(?:trial and error|work|time|effort|practice|a while|ages)\b`,
  ),
  resolve(String.raw`(?:keep|kept|keeping)? ?(?:bounce|bounced|bouncing) between\b`),
  // "We need better schools": everyone does, not the speaker.
  /^(?:and |but |so )?we (?:all |really |just )*need (?:(?:way |much |far )?(?:better|more|fewer|less)|folks|people|everyone|someone)\b/i,
  resolve(String.raw`(?:get|gets|got|getting) (?:so |really )?(?:deep|lost) in thought\b`),
  /\blooking forward to (?:what|seeing (?:what|where|how)|the (?:future|next))\b|\bexcited (?:to see|about|for) (?:what|where|how)\b/i,
  /\b(?:see|seeing) (?:what|where|how) (?:comes |happens |it |they |them |pottery |my |your )/i,
];

/** Comments on a picture or a visible thing: "I love the colours", "I love all the details". */
const TASTE =
  /^(?:I|we) (?:also |really |just |do |absolutely |totally |so )*(?:love|like|adore|enjoy|loved|liked|enjoyed|am loving) (?:all )?the\b/i;
/** Things that are unique or stand for their whole kind. */
const WHOLE_KIND =
  /^(?:ocean|sea|beach|mountains?|outdoors|rain|snow|sun|summer|winter|spring|autumn|fall|countryside|city|theat(?:er|re)|cinema|opera|piano|guitar|violin|gym|desert|forest|woods|cold|heat|80s|90s|nineties|eighties|smell|taste|sound|feeling|idea|game|band|show|series|movie|film|book)$/;

const NO_OBJECT =
  'for (?:about |over |almost |nearly |around )?(?:an? |two|three|four|five|six|seven|eight|nine|ten|years|months|weeks|hours|ages|\\d)|since|through|until|when|before|after';

const WHEN = '(?: (?:last|this|yesterday|today|on|over the|the other|a few)\\b.{0,20}| - .*)?';

/** No name follows: "with my dad every Sunday". */
const UNNAMED = String.raw`(?!.* (?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|I\b)\p{Lu})`;

/** Verbs without the thing that they are about: "I have been playing for two years", "I won on Friday". */
const WITHOUT_OBJECT: readonly RegExp[] = [
  // "I got a 38", "I put six": of what, stands elsewhere.
  /\b(?:got|put|took|used|did) (?:an? |about |only )?(?:\d{1,4}|two|three|four|five|six|seven|eight|nine|ten)$/i,
  new RegExp(
    String.raw`\b(?:play|played|playing|practi[cs](?:e|ed|ing)|mak(?:e|ing)|made|building|built|us(?:e|ed|ing)|tr(?:y|ied|ying)|own|owned) (?:${NO_OBJECT})\b`,
    'i',
  ),
  /\b(?:started|began|won|finished|lost|joined|enrolled|signed up|applied|registered|competed|qualified) (?:when|as|since|about|last|yesterday|again|on (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/i,
  /^(?:and |but |so )?(?:I|we) (?:finally |just |eventually |only )?(?:quit|gave up)(?: (?:when|after|as|because|before|last|this|in|at|on|for good|cold turkey|two|three|\d|a (?:few|couple))\b|$)/i,
  resolve(
    String.raw`(?:started|began|won|finished|lost|joined|enrolled|signed up|applied|registered|competed|qualified) (?:by(?: \w+)?|in \d{4})$`,
  ),
  /^my friends? (?:started|began|joined|won|lost|finished|stopped|left|applied)(?: (?:(?:a|an|two|three|four|five|six|\d+) (?:few )?\p{L}+ ago|yesterday|today|recently|already))?$/iu,
  /\b(?:(?<!\b(?:an?|the|my|our) (?:[a-z-]+ )?)meeting|having|doing|making|getting|taking|giving|using|bringing|putting|finding|escaping|seeing|being|sharing|letting|keeping|trying|creating|helping)$/i,
  /^(?:I|we) (?:(?:am|was|were|able|to|managed|also|even|have|just|really) ){0,4}rais(?:e|ed|ing) (?:a ton|a lot|awareness|(?:some |the |lots of )?(?:funds?|money))$/i,
  /^(?:I|we) took (?:about |almost |nearly |over )?(?:\d+|an?|two|three|four|five|six|seven|eight|nine|ten|twelve|several) (?:hours?|days?|weeks?|months?|years?|evenings?|weekends?|tries|attempts)$/i,
  /\b(?:that|it) the hard way\b/i,
  new RegExp(String.raw`\bplay(?:ed|ing)? with (?:my|our)\b(?!.* (?:in|at|on) )${UNNAMED}`, 'u'),
  new RegExp(String.raw`\b(?:go|going|went) with (?:my|our|some)\b(?!.* to )${UNNAMED}`, 'u'),
  /\b(?:collected|sold|made|got|read|bought|have|own|baked) (?:over|about|around|almost|nearly|more than) \d+(?: so far)?$/i,
  /\b(?:got|get|had) the idea(?! (?:for|of|to)\b)/i,
  /\bmy (?:aim|intention|idea) was to (?:fill|(?:show|capture|convey|express)(?! [^;.]{3,60} and \p{L}))\b/iu,
  /\bgo (?:often|a lot|regularly|again|every|once|twice)\b(?!.*(?:\bto\b|ing\b))/i,
  /\b(?:like|love|enjoy) (?:playing|making|doing|trying|watching|using|sharing)$/i,
  /\b(?:reading|writing|playing|cooking|working) as usual$/i,
  /\b(?:was|were|am|are) in (?:a|the|this) (?:[a-z]+ )?(?:game|match)$/i,
  /\b(?:talked|spoke|chatted) (?:to|with) (?:my|a|some) (?:friends?|buddy|colleagues?|family)(?: and (?:my )?(?:friends?|family|colleagues?))?(?: (?:last|this|yesterday|today|on|the other)\b.{0,20})?$/i,
  /\bfor coming$/i,
  // "An unexpected incident", "compliments": which one, for what?
  /\bhad (?:an?|another|such an?|quite an?) (?:[\p{L}-]+ ){0,3}(?:incident|experience|encounter|setback|breakthrough)(?! (?:with|at|in|of|where|when|that|involving|as)\b|.* \p{L}+ing\b)/iu,
  /\b(?:received|got|get|getting) (?:lots of |a lot of |so many |many |some |great |good |nice |positive )*(?:compliments|praise|recognition|feedback|comments)(?!.* (?:for|on|about)\b)/i,
  /\brais(?:e|ed|ing) awareness(?! (?:of|about|for|on)\b)/i,
  /\bfound (?:a|the|another) (?:\p{L}+ )?place (?:with|that)\b(?!.*\b(?:rent|live|flat|house|rooms?)\b)/iu,
  /\bthrough different means\b|\bto remind (?:me|myself)(?: and others)?$|\b(?:that|which) we all\b/i,
  /\b(?:played games|ate (?:good|great|yummy|delicious|tasty|lots of) food)\b(?!.* (?:at|with) )/i,
  // "A milestone moment", "a new addition to the family": which one?
  /\b(?:milestone|proud|big|special|magical|memorable|defining|great|amazing|huge) moment(?! (?:of|when|for|where)\b)/i,
  /\b(?:new |latest )*addition to (?:my|our|the) (?:\p{L}+ )?family(?!, )/iu,
  /\bused (?:all )?(?:my|our) (?:contacts|connections|network|skills|experience)(?!.* (?:to|for)\b)/i,
  /\b(?:will|am going to|can|could|would) (?:come|stop|drop|pop|swing) (?:over|by|round|around)(?! (?:to|at)\b)/i,
  /\b(?:adapt|adapting|tweak|tweaking|adjust|adjusting|chang(?:e|ing)|stick(?:ing)? to|switching up|mixing up)(?: and \p{L}+ing)? (?:my|our) routine(?! (?:of|at|for)\b)/iu,
  /\b(?:held|meet|met|attended|did|visited) some (?:people|events|things|places)(?! (?:who|from|that|at|in|with|to|for)\b)/i,
  new RegExp(
    String.raw`\bhad (?:a|an|some|such a|so much) (?:(?:really|super|so|very|great|good|nice|amazing|fun|wonderful|awesome|fantastic|lovely|crazy|wild) ){0,4}(?:time|blast|day|weekend|fun|week|experience|game)${WHEN}$`,
    'i',
  ),
  /\b(?:enjoy|love|like|made|had|ate|watched|bought|got) my (?:favou?rites?|faves?)(?: (?:after|when|in|on|at|during|for)\b|$)/i,
  // "I finished my piece", "I made my favourite recipe for my cousins"
  new RegExp(
    String.raw`\bmy (?:(?:own|new|latest|next|last|first|final|recent) )*(?:piece|creation|project|item|entry|submission)s?${WHEN}$`,
    'iu',
  ),
  new RegExp(
    String.raw`\b(?:ma(?:d|k)e|making|cook(?:ed|ing)?|bak(?:e|ed|ing)|visit(?:ed|ing)?|(?:went|go|going) to|watch(?:ed|ing)?|play(?:ed|ing)?|read|reading|finished|shared?|tried) my (?:favou?rite|fave|fav) (?:recipe|dish|meal|dessert|treat|snack|place|spot|book|game|show|movie|film|song|band|character|author|series)s?(?: (?:for|with|at|in|on|last|yesterday|today|again|every|when) (?!.*(?:\p{Lu}|["“])).*)?$`,
    'u',
  ),
  /^(?:and |but |so )?my (?:\p{L}+ )+one (?:is|was|has|had)\b/iu,
  /^(?:and |but |so )?I (?:still |also )?remember (?:you|\p{Lu}\p{Ll}+) (?:telling|saying|mentioning|showing)\b/iu,
  // "I got to see some epic spots", "I upgraded some of my equipment", "I bought a physical copy"
  new RegExp(
    String.raw`\b(?:see|saw|seen|seeing|visit(?:ed)?|find|found|explored?|check(?:ed)? out) (?:some|a few|lots of|a lot of|so many|many) (?:\p{L}+ ){0,3}(?:spots|places|sights|views|things)(?! (?:in|at|of|near|around|from|that|where|along|like|to|such|on)\b)`,
    'iu',
  ),
  /\b(?:got|get|have|had|found|gotten) (?:some|a few|a couple of) (?:(?:possible|potential|good|great|promising|cool|useful|new|big|exciting) )*(?:leads|connections|tips|options|projects)(?! (?:for|on|about|from|with|of|to|at)\b)/i,
  /\bnetwork(?:ed|ing)? with (?:some |other |more )*(?:people|folks)(?! (?:who|from|in|at|that)\b)/i,
  /\bsome of my (?:equipment|gear|stuff|things|set-?up)\b/i,
  /\b(?:an?|another|my) (?:(?:physical|signed|digital|hard|new|used|first|own) )*copy(?! (?:of|from|editor|desk)\b)/i,
  // "I did my fair share of research": into what?
  /\b(?:do|did|doing|done) (?:\p{L}+ ){0,4}(?:research|networking)(?: and (?:research|networking))?(?! (?:on|about|into|for|at|with|in|to|by)\b)/iu,
  /\bhad (?:lots of|a lot of|so much|loads of|tons of) fun (?:bonding|creating|making|sharing|spending time|hanging out)(?!.*\b(?:in|at|on|to)\b)/i,
  // "a book that made a big impact on me": which one?
  new RegExp(
    String.raw`\b(?:an?|another|this) (?:(?:new|great|good|amazing|awesome|cool|really|super|recent) )*(?:book|movie|film|song|show|game|story) (?:that|which) (?:I |we |really |just |totally |truly |absolutely )*(?:love|like|enjoy|adore|(?:made|makes|had|has|left) (?:an?|such an?|some) (?:\p{L}+ )?(?:impact|impression|difference)|resonated|spoke|inspired me|moved me|touched me|stuck with me)`,
    'iu',
  ),
  /(?<!\b(?:during|before|after|at|in|for) )\b(?:an?|another|some) (?:(?:new|big|great|cool|creative|fun|special|exciting|small|crazy|tough|close|intense) ){0,3}(?:projects?|events?|things?|task|topic|game|activity|activities)(?: lately| recently|\s*[,–-](?!\s*(?:an?|about|called|to)\b).*)?$/i,
];

/** Polite offers and interest in what the listener says: "I would love to hear more". */
const POLITE =
  /\b(?:love|like|want|wants?) to (?:(?:hear|know)\b|(?:learn|see|read|find out|talk) (?:more|about|how|what|your|that|it|some of)\b|(?:join in|join you|lend a hand|help out|check|come along)\b|(?:see|hear|try) (?:one|some|any|all) of (?:the|those|these|your)\b)/i;

/** Clauses that lack their object or are merged with another one. */
const BROKEN: readonly RegExp[] = [
  // "The things I love sure does bring joy": the verb belongs to another subject.
  /\b(?:love|like|enjoy|hate|want|need|have|play|watch|read|do) (?:sure|does|is|are|was|were|has|makes|brings|helps|gives|do|did)\b/i,
  /\b(?:love|like|loves|enjoy) (?:the|a|my|that|this) \p{L}+ (?:brings|makes|gives|keeps|helps|shows|is|was|does)\b/iu,
  /^my (?:favou?rite|fave|number one|top pick|first|last|own|best)s? (?:is|was|are|were) (?:when|how|that|just|actually|definitely|probably)\b/i,
  /\b(?:got|get|gotten|getting|become|became) (?:also |really |very )?(?:allergic|interested|into|used|hooked|attached|involved|addicted)$/i,
  /\beachother$|^(?:last|this|next|the first) time\b|\bboth on different\b|\b(?:has|have) similar \p{L}+$/iu,
  // "Learning about birds and drawing owls calms me": the subject is the whole activity.
  /^(?:I am|I have been) \p{L}+ing [^,;–—]* (?<!\b(?:it|that|which|who|he|she|this|really|always|also|and) )\p{L}{2,}s me\b/iu,
  /\bof you (?:two|both|all|guys)\b/i,
  /\bmyself, speaking$|, speaking$/i,
  /\b(?:anymore|any more) \p{L}+s\b/iu,
  /\b(?:after|since|before) (?:I|we|they) (?:last )?(?:talked|spoke|chatted|met)\b/,
  // "Our choir, 'Open Voices'": the verb was taken for a part of the name.
  /^(?:my|our) [^,;]{2,40}, ['"“‘][^'"”’]{2,60}['"”’]$/u,
];

/** Adjectives that only praise or complain; they are not an attribute of a home, a body or a country. */
const JUDGES =
  /^my (?:[\p{L}'-]+ ){1,3}(?:is|are|was|were|has been|have been) (?:so |such |really |very |just |always |also |pretty |super |truly |absolutely |still |going )*(?:an? )?(?:great|good|well|gorgeous|beautiful|amazing|awesome|incredible|tough|hard|rough|crazy|wild|lovely|wonderful|fantastic|perfect|real|roller ?coaster|rollercoaster|moving(?! (?:to|out|in|into|from|back)\b)|blast|fun|nice|cool|bad|best|stressful|challenging|exciting|intense|priceless|important|special|ride)(?: (?:and|but|for|to|when|experience|time|ride|one|thing|roller|coaster|challenge|week|day|journey|lately|so far)\b.*|\s*[,;–-].*)?$/iu;

/** Whether a clause only states a mood, a resolution or politeness. */
export const isMood = (text: string): boolean =>
  POLITE.test(text) || RESOLVES.some((pattern) => pattern.test(withoutEnd(text, END)));

const END = /[\s,;:.!?–-]/;

/** Whether a first-person clause, cut to its fact, is incomplete or not worth looking up. */
export const isHollow = (plain: string): boolean => {
  const text = withoutEnd(plain, END);
  return (
    isMood(text) ||
    BROKEN.some((pattern) => pattern.test(text)) ||
    WITHOUT_OBJECT.some((pattern) => pattern.test(text)) ||
    JUDGES.test(text) ||
    praisesWhatIsInView(text)
  );
};

const praisesWhatIsInView = (text: string): boolean => {
  const match = TASTE.exec(text);
  if (match === null) return false;
  const object = tokensOf(text.slice(match[0].length));
  return !object.some(
    (token, index) =>
      isName(token, index + 1) ||
      isNumber(token.key) ||
      WHOLE_KIND.test(token.key) ||
      /["“]/.test(token.text) ||
      // "the upside-down poses"
      /^\p{L}+-\p{L}+(?<!ing|ed)$/u.test(token.key) ||
      (token.key === 'of' && names(object[index + 1], object[index + 2])),
  );
};

const names = (first: Token | undefined, second: Token | undefined): boolean =>
  (first !== undefined && hasContent(first)) ||
  (second !== undefined && !breaksAfter(first) && /^(?:a|an|my|the)$/.test(first?.key ?? '') && hasContent(second));

export const examples = {
  hollow: [
    'I am staying positive',
    'I stay motivated by the sea',
    'I am going to keep pushing',
    'I am doing OK',
    'I will make sure to have a safe trip',
    'I took some trial and error',
    'I quit when my daughter was born in 2014',
    'but I finally quit two years ago',
    'I love the colours and the texture',
    'I love all the details',
    'I love sure does bring me joy',
    'my favourite was when we were down ten',
    'I got allergic',
    'I got a 38',
    'I put six',
    'my hometown was gorgeous',
    'my week was a real roller coaster',
    'I am planning on submitting anymore scripts',
    'I have been playing for two years',
    'I kept playing through college',
    'I started when I was young',
    'I love being with my cousins and having',
    'I enjoy my favourite after a swim',
    'I worked on a project',
    'I raised some money',
    'I learned that the hard way',
    'I took three years',
    'I would love to hear more about the harbour',
    'I would love to lend a hand at the fair',
    'I got the idea from a magazine',
    'my aim was to show warmth',
    'we do not go often',
    'my friend started three weeks ago',
    'I just like playing',
    'I have been reading as usual',
    'I was in a game',
    'my kids and I had a great time last weekend',
    'I had a crazy game - crazy intense',
    'I enjoy the slow parts',
    'I held some events',
    'I used to play with my dad every Sunday',
    'I am going with my husband next week',
    'I joined in 2019',
    'I have collected over 50 so far',
    'I talked to my friend last week',
    'I am baking everyone a pie just for coming',
    'I am learning about birds and drawing owls calms me',
    "I saw my cousin's photo of you two skating",
    'I finished my piece yesterday',
    'I made my favourite recipe for my cousins',
    "our choir, 'Open Voices'",
    'I keep bouncing between hope and worry',
    'I just get deep in thought',
    'we need way better schools and roads',
    'I got some possible leads',
    'I have got some cool projects in the works',
    'I have been networking with some people to get their input',
    'I got to see some lovely spots',
    'I remember you telling me about owls',
    'and my oldest one is from 1871',
    'I upgraded some of my equipment at home',
    'I even bought a physical copy',
    'I have been doing my fair share of research non-stop',
    'my sister and I had lots of fun bonding and making memories',
    'I recently read a book that made a big impact on me',
    'I am reading a book that I really enjoy',
    'after we talked I finally picked up my violin',
    'I would love to see one of the drawings',
    'I had a proud moment at the pool on Friday',
    'I just got a new addition to the family',
    'I used my contacts in the book trade',
    'I will come over',
    'I struggled with adapting and tweaking my routine',
    'I had to dig deep and keep on pushing',
    'now I am stepping into the unknown',
    'I am excited to be involved and help the town',
    'I had an unexpected incident on my way home',
    'I received lots of compliments from other singers',
    'I hope to raise awareness and start conversations',
    'I even found a place with high ceilings',
    'I reached out to several shops through different means',
    'I carved a spoon to remind myself',
    'I found a concert that we all enjoyed',
    'we played games, ate good food and went home',
    'I chatted with my family and friends',
  ],
  told: [
    'I love the ocean',
    'I stay motivated by writing down my aims',
    'I love the game Catan',
    'I like the sound of rain',
    'I stayed in Lyon for a week',
    'I keep bees',
    'my sister is a doctor',
    'my favourite dish is a banana split',
    'I got interested in birds',
    'I made a cake for my mom',
    'I took some pictures in Turku',
    'I have been playing the cello for two years',
    'I started a choir when I was young',
    'I would love to see Lisbon',
    'I quit coffee in 2014',
    'I gave up running when my knee hurt',
    'I worked on a project about owls',
    'I raised some money for the choir',
    'I ran a race to raise money',
    'I am working on a new project - a play set in Turku',
    'poems are my thing',
    'I would love to learn Finnish',
    'I got the idea for a choir from my aunt',
    'I go to Lisbon every year',
    'I had a great time at my wedding',
    'I enrolled in 2019 at Oslo University',
    'I sold the bakery that my uncle started in 2019',
    'I competed in 2019 and won gold medals for Norway',
    'I applied by email for a grant',
    'I play with my band Orchid',
    'I went with my sister Ana',
    'I went with the blue tiles',
    'I talked to my friend about a move to Turku',
    'I am learning the cello because it calms me',
    'I am reading a novel that moves me',
    'I really enjoy the upside-down poses',
    'I wanted to capture the calm and warmth of the harbour',
    'my kids and I had some really nice family time',
    'I finished my piece about owls',
    'my favourite recipe is plum cake',
    '"Waves" is my favourite book',
    'I joined a forum and talked about my favourite books',
    'I went to my favourite place in Hue',
    'I saw some lovely spots in Lisbon',
    'I visited some places that my aunt knew',
    'I bought a copy of "Waves"',
    'I did some research on owls',
    'I got some tips from my aunt',
    'we need a bigger boat',
    'I am doing research at Oslo University',
    'I went to the council meeting',
    'my sister and I had lots of fun making candles at the fair',
    'I read a book about owls that made a big impact on me',
    'I had a proud moment when my choir sang in Turku',
    'we welcomed a new addition to the family, a puppy named Milo',
    'I used my contacts in the book trade to find a printer',
    'I will come over to the bakery at noon',
    'I stick to my routine of swimming at dawn',
    'I am involved in a choir',
    'I had a bad experience with a landlord in Turku',
    'I had a great experience last weekend sailing with my choir',
    'I received a lot of compliments for my cello solo',
    'I raise awareness of bees',
    'I found a place with three rooms in Turku',
    'we played games at the harbour fair',
    'I chatted with my family about the harbour',
    'I moved to Turku and two years later opened a bakery',
  ],
};
