/** One family of talk that carries no fact worth keeping. `name` is for tests and for tuning. */
interface Family {
  readonly name: string;
  readonly pattern: RegExp;
}

const FAMILIES: readonly Family[] = [
  {
    name: 'greeting',
    pattern:
      /^(?:good (?:morning|afternoon|evening|to (?:see|hear))|nice to|great to (?:see|hear|chat|talk)|long time|how(?:'s| are| is| have)|it(?:'s| is| has)? been (?:a while|ages|too long)|i have not (?:talked|spoken|heard)|i hope (?:you|all|everything))/i,
  },
  {
    name: 'thanks',
    pattern:
      /\b(?:thank(?:s| you)|i (?:really |truly |so |do )*appreciate (?:it|you|that|the|your)|i owe you)\b|^(?:it|that|this|which)(?:'s)? (?:\w+ )?(?:means?|meant) (?:a lot|so much|the world|everything)\b|\byour (?:support|words|kind|encouragement|help|friendship|advice|pep)/i,
  },
  {
    name: 'farewell',
    pattern:
      /\b(?:bye|see (?:you|ya)|talk (?:to you |soon|later)|take care|catch (?:you|up) (?:later|soon)|good ?night|keep (?:you|ya|me) (?:posted|updated)|let (?:you|ya|me) know)\b|^(?:have (?:a|fun|so much)|stay|enjoy)\b/i,
  },
  {
    name: 'wish',
    pattern:
      /\b(?:good luck|best of luck|fingers crossed|best wishes|keep (?:it up|up|going|pushing|at it|rocking)|go for it|you (?:got|have got) this|hang in there|i wish you|wishing you|i am rooting|rooting for)\b/i,
  },
  {
    name: 'listener',
    pattern:
      /\bi (?:am|was|feel) (?:\w+ )*(?:happy|glad|proud|excited|stoked|sorry|pleased|sure|thrilled|amazed|impressed|inspired|jealous|here|pumped|there|curious|confident|grateful) (?:\w+ )?(?:for|of|that|to (?:hear|see|know|have)|about|by|with|if|when)?(?: all)? ?(?:you|your|it worked)\b/i,
  },
  { name: 'gladness', pattern: /^I am (?:\w+ )?(?:glad|happy to (?:hear|see|know))\b(?!.*\b(?:my|our)\b)/ },
  {
    name: 'admiring',
    pattern:
      /^I (?:\w+ )?(?:love|like|enjoy|adore) (?:how|that|those|this|these|it|them|him|her|you|(?:all )?the (?:way|colou?rs?|idea|looks?|vibes?|design|pic(?:ture)?|photo|view|energy|red|blue|concept|details?))\b(?!.*\b(?:me|my|myself|we|our|us|makes?)\b)/,
  },
  {
    name: 'offer',
    pattern:
      /\bI would (?:\w+ )?(?:love|like|be (?:happy|glad|honou?red)) to (?:help|check|see|hear|hang|join|come|know|be there|lend|try (?:it|that)|support you)\b/,
  },
  {
    name: 'resolve',
    pattern:
      /\b(?:do|doing|try|trying|give|giving) (?:it )?(?:my|our) (?:very )?(?:best|all)\b|\bnot going to (?:give up|stop|quit)\b|\b(?:never|not|won't) giv(?:e|ing) up\b|\bkeep(?:ing)? (?:going|pushing|moving|at it)\b|\b(?:for|about) (?:the|this) (?:future|new chapter)\b/i,
  },
  {
    name: 'listening',
    pattern:
      /^(?:\w+ )?i (?:\w+ )*(?:totally |completely |really |can |could |do |definitely |know |understand|agree|see|get|hear|bet|guess|suppose|imagine|believe in|admire|trust|love|like|hope|wish|know|think|feel|wonder|am sure)\s*(?:that |how |what |it |with |the way )*(?:you|your|you are)\b/i,
  },
  {
    name: 'assent',
    pattern:
      /^i (?:totally |completely |really |can |could |do |definitely |could not |cannot |can't |couldn't )*(?:agree|understand|relate|see(?:,| that| why| how)|get (?:it|that|what)|hear (?:that|ya)|imagine|picture|bet|guess so|think so|hope so|know(?: what|,|[.!]|$)|feel (?:you|ya)|believe (?:it|that)|feel the same|feel that)\b/i,
  },
  {
    name: 'apology',
    pattern:
      /^(?:i am (?:so |really |very )*sorry|sorry|my bad|excuse me|pardon|i apologi[sz]e|condolences|my condolences)\b/i,
  },
  {
    name: 'proposal',
    pattern:
      /^(?:let's|let us|how about|what about|why don't|feel free|don't (?:worry|forget|give up|hesitate)|check (?:it|this|that) out|take a look|look at|here(?:'s| is| are) (?:to|what)|check out|stay|remember|believe|trust me|if you|when you|you (?:should|could|can|must|might|may|will|deserve|never know|know|are|have|really|always|inspire|make|made|did|would|sure|definitely))\b/i,
  },
  {
    name: 'help',
    pattern:
      /\b(?:i am (?:always |right )*(?:here|behind|by|with) (?:for you|you|your side|if|to (?:help|support|back|listen)\b|whenever)|i am (?:\w+ )?behind you|be (?:right )?by your side|i am (?:always )?there for you|i will (?:always )?be there for you|i have got your back|anything you need|if you (?:need|want|ever|have any)|whenever you need|you can count on me|count me in)\b/i,
  },
  {
    name: 'filler',
    pattern:
      /^(?:that|this|it|those|these)(?:'s| is| was| sounds?| looks?| seems?| must| will| would| has| does| makes)? (?:\w+ ){0,3}(?:great|awesome|amazing|cool|nice|wonderful|fantastic|lovely|beautiful|gorgeous|incredible|sweet|fun|true|right|impressive|inspiring|interesting|perfect|tough|sad|hard|adorable|cute|stunning|fair|good|bad|terrible|crazy|wild|yummy|delicious|helpful|special|important)[.! ]*$/i,
  },
  {
    name: 'anticipation',
    pattern:
      /^(?:i )?(?:can't|cannot|can not|could not|couldn't) wait(?: to (?:see|hear|find out|meet you|chat|talk|try it|check))?\b(?!.*\b(?:trip|wedding|game|concert|tour|move|vacation|class)\b)/i,
  },
  {
    name: 'show',
    pattern:
      /^(?:here(?:'s| is| are)|this is|these are|i (?:took|have) (?:a|this|some) (?:pic|photo|picture|snap)|i (?:will|can|wanna|want to) (?:share|show|send)|check|look)\b(?!.*\bmy\b)/i,
  },
  {
    name: 'wellbeing',
    pattern:
      /^(?:I|we) (?:am|are|have been) (?:\w+ )?(?:doing )?(?:\w+ )?(?:good|well|great|fine|ok|okay|alright|all right|not bad|hanging in there)[.! ]*$|\bI (?:am |have )?(?:hoping so|got it|get it|made it up)[.! ]*$/i,
  },
  {
    name: 'catching up',
    pattern: /\b(?:happened|changed|going on|busy|hectic|crazy|a while|long)\b.*\bsince (?:we|our|I last)\b/i,
  },
  {
    name: 'preamble',
    pattern:
      /^I (?:\w+ ){0,2}?(?:to|got to|have to|had to|want to|wanted to) (?:tell|share|show|ask|give you|say|check in|catch up|fill you in)\b(?!.*\b(?:my|our) \w+ \w+)/i,
  },
  {
    name: 'rhetoric',
    pattern:
      /^(?:i (?:don't|do not) (?:know|think|remember)[.! ]*$|i know(?: right)?[.!, ]*$|who knows|you bet|no way|same here|me too|me neither|my pleasure|my goodness|oh my|count on|i (?:mean|swear|promise)\b)/i,
  },
];

/** The family of small talk a clause belongs to, or null. `clause` has its contractions spelled out. */
export const smallTalkIn = (clause: string): string | null =>
  FAMILIES.find(({ pattern }) => pattern.test(clause))?.name ?? null;
