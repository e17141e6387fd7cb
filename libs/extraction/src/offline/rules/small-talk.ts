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
      /\b(?:thank(?:s| you)|i (?:really |truly |so |do )*appreciate (?:it|you|that|the|your)|i owe you)\b|\b(?:means?|meant) (?:a lot|so much|the world|everything) to me(?: that you|, \w+)?[.! ]*$|\byour (?:support|words|kind|encouragement|help|friendship|advice|pep)/i,
  },
  {
    name: 'farewell',
    pattern:
      /\b(?:bye|see (?:you|ya)|talk (?:to you |soon|later)|take care|catch (?:you|up) (?:later|soon)|good ?night|have (?:a (?:great|good|nice|lovely|fun|blast|wonderful)|fun)|keep (?:you|ya|me) (?:posted|updated)|let (?:you|ya|me) know|stay (?:safe|strong|positive)|enjoy (?:your|it|the))\b/i,
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
  {
    name: 'listening',
    pattern:
      /^(?:\w+ )?i (?:\w+ )*(?:totally |completely |really |can |could |do |definitely |know |understand|agree|see|get|hear|bet|guess|suppose|imagine|believe in|admire|trust|love|like|hope|wish|know|think|feel|wonder|am sure)\s*(?:that |how |what |it |with |the way )*(?:you|your|you are)\b/i,
  },
  {
    name: 'assent',
    pattern:
      /^i (?:totally |completely |really |can |could |do |definitely |could not |cannot |can't |couldn't )*(?:agree|understand|relate|see (?:that|why|how)|get (?:it|that|what)|hear (?:that|ya)|imagine|bet|guess so|think so|hope so|know(?: what|,|[.!]|$)|feel (?:you|ya)|believe (?:it|that))\b/i,
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
      /\b(?:i am here (?:for you|if|to help|whenever)|i am (?:always )?there for you|i will (?:always )?be there for you|i have got your back|anything you need|if you (?:need|want|ever|have any)|whenever you need|you can count on me|count me in)\b/i,
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
    name: 'rhetoric',
    pattern:
      /^(?:i (?:don't|do not) (?:know|think|remember)[.! ]*$|i know(?: right)?[.!, ]*$|who knows|you bet|no way|same here|me too|me neither|my pleasure|my goodness|oh my|count on|i (?:mean|swear|promise)\b)/i,
  },
];

/** The family of small talk a clause belongs to, or null. `clause` has its contractions spelled out. */
export const smallTalkIn = (clause: string): string | null =>
  FAMILIES.find(({ pattern }) => pattern.test(clause))?.name ?? null;
