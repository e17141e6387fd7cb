import { counted, countsOf, mapOf, opening, setOf, words, type Lexicon } from './lexicon.js';

export const EN: Lexicon = {
  code: 'en',
  stop: setOf(
    `a an the and or but if so because as of to in on at by for with from about into than then that this these those there here it its it's is are was were be been being am i'm i've i'd i'll you're you've you'll we're we've we'll they're he's she's that's there's what's do does did don't doesn't didn't have has had having can could will would shall should may might must not no nor i me my mine you your yours he him his she her hers we us our ours they them their what which who whom whose when where why how all any some now each both just only too very also up out off over again more most such own same let's get got go going one want wanna gonna cant dont im ive u ur thats its whats`,
  ),
  idle: setOf(
    `ha haha hi hello hey hai hii hlo hiya greetings good morning afternoon evening night day thanks thank thankyou thx ty cheers welcome please pls ok okay okey okk ook oka okie kk k yes yeah yep yup ya yah no nope nah sure right alright correct exactly true fine cool great nice perfect excellent awesome wonderful lovely amazing fantastic super brilliant bye goodbye byebye later see care take sorry pardon excuse uh um uhm er erm hmm mm mhm mmm ah aha oh ooh wow well like actually really totally absolutely definitely certainly indeed ofcourse course glad happy worries problem dear sir madam maam ma'am friend mate buddy much lot lots bit kind helpful help helping helped appreciate appreciated got know think guess mean say hear that's it's understood understand noted sounds sound works wait waiting moment minute second sec haha hahaha lol luck congrats congratulations find tell show give search else option options available needed`,
  ),
  feelings: setOf(
    `congrats congratulations kudos feel feels feeling felt love loved loving enjoy enjoying enjoyed happy excited exciting proud grateful thankful inspired inspire inspires inspiring motivate motivates motivated motivation passion passionate dream dreams hope hopes hoping believe belief positive positivity strong strength stronger tough hard challenge challenges challenging struggle struggles success successful progress journey support supporting supportive encourage encouraging encouragement amazed incredible special beautiful cute stunning gorgeous unreal unforgettable memories memory remember remind reminds moment moments together everyone people life lives world difference impact matter matters important heart joy peace calm relaxing stress stressful fun blast time times day days things thing something everything anything way ways make makes making made keep keeps keeping give gives giving giving gave never always forget worth try trying tried work working worked chance chances share shared sharing connect connected connection bond bonding growth grow growing learn learning learned push pushing quit goal goals determined determination dedication proud spirit energy vibe vibes mood smile smiles laugh words pic pics picture photo photos here here's check look looks looked looking show shows absolutely gotta kinda ain't wow yay bet`,
  ),
  smallTalk: words(
    `(?:how|what) (?:can|may|could|else can|else may) (?:i|we) (?:help|assist|do)|(?:anything|something|everything|nothing) (?:else|more|further)|(?:need|want|require|be needing) (?:any |my |some |more |further |other |additional )*(?:help|assistance)|(?:can|may|could) i (?:help|assist)|(?:else|further) (?:i|we) (?:can|could|may)|happy to help|glad to help|here to help|contacting us|for calling|(?:that(?:'?s| is| was|'ll be| will be)|this is) (?:all|it|everything)|all i need(?:ed)?|nothing (?:else|more)|(?:great|nice|good|wonderful|pleasant|lovely) (?:day|evening|afternoon|night|weekend|one|time|rest)|take care|you(?:'re| are) welcome|good ?bye|(?:one|just a|a|give me a|hold on a|wait a) (?:moment|minute|sec|second)|hold on|hang on|bear with me|please hold|the system is|i(?:'m| am) (?:just |now )?(?:pulling|searching|processing)|let me (?:check|see|look|think|pull|find|get|grab|open|try)|i(?:'m| am) (?:still )?(?:here|waiting|connected|ready|back|listening|looking at|opening|clicking|typing|checking|on (?:page|step|the page|the screen|the line|it))|i(?:'ll| will) (?:wait|hold|check)|(?:it's|it is) loading|can you hear me|i can(?:'t| not)? hear you|are you (?:still )?there|you still there|take your (?:own )?time|say that again|repeat that|come again|go ahead|(?:my|a) pleasure|been a while|long time no \\p{L}+|haven't (?:talked|chatted|spoken)|enjoy (?:it|your\\p{L}*|the)`,
  ),
  asks: words(
    `(?:tell|give|provide|share|send|spell|confirm|verify|state) (?:me |us )?(?:with )?(?:your|the|what|which|how|when|where|that)|(?:need|require|have|get) (?:to know )?(?:your|the following)|please (?:confirm|verify|ensure|provide|tell|specify|enter)|(?:can|could|would) you (?:please |kindly |just )?(?:confirm|verify|tell|give)|(?:confirm|confirming|verify|ensure|check)(?: that| these| the following| you)|(?:to )?confirm|(?:just )?(?:to )?make sure|let me (?:confirm|review)|(?:may|can|could) i (?:have|get|ask|know|take)|kindly`,
  ),
  self: words(`i|i'm|i've|i'd|i'll|im|ive|me|my|mine|myself|we|we're|we've|we'd|we'll|us|our|ours`),
  wants: words(
    `i(?:'d| would) (?:like|love|prefer|rather)|i (?:want|need|wish|require|hope)|i(?:'m| am) (?:looking|trying|hoping|calling|interested|searching|after)|we (?:want|need)|(?:can|could|would|will) you(?! (?:please |also |kindly |maybe |just )*(?:tell|give|confirm|say|repeat|let|check|hear|see|spell))|please (?:\\p{L}+)|help me|looking for|i have (?:a|an) (?:problem|issue|question|complaint)|want to|need to|get me|find me|(?:can|could|may) (?:i|we)(?! (?:please |just |also )*(?:ask|talk|speak|know|help))|book|reserve|search for|(?:does|is)n't work|not working|broken|complain`,
  ),
  prefers: words(
    `(?:i|we)(?: \\p{L}+ly| always| never| usually| mostly| often| do| just| don't| do not| can't| cannot)* (?:like|love|enjoy|hate|dislike|prefer|adore|avoid|eat|drink|stand)|(?:i'm|i am|we're|we are) (?:\\p{L}+ ){0,2}(?:allergic|vegan|vegetarian|intolerant|diabetic|afraid|scared|a fan|fond|addicted|obsessed|passionate)|favou?rites?|i'm (?:really |so |very )?into|(?:i|we) (?:always|never|usually|often|rarely)|(?:i|we)(?:'d| would) (?:rather|prefer)|allerg(?:y|ies|ic)|my (?:budget|diet|hobby|hobbies|passion)|no (?:nuts|meat|dairy|gluten|sugar)|rather not|only (?:fly|eat|drink|use|buy)|can(?:'t|not) stand`,
  ),
  plans: words(
    `(?:i|we)(?:'ll| will)|(?:i'm|i am|we're|we are) (?:going to|planning|gonna|moving|travell?ing|flying|starting|getting|thinking of|hoping)|(?:i|we) (?:plan|intend|decided|have decided|hope)|going to|planning to`,
  ),
  commits: words(
    `i have you (?:down|booked)|you(?:'re| are) (?:all |now )?(?:booked|registered|confirmed|down)|(?:i|we)(?:'ve| have) (?:\\p{L}+ly |now |just |already |also )?(?!(?:to|got|found|been|had|no|a|an|the|not|some)\\b)\\p{L}+|(?:i|we)(?:'ll| will)|(?:is|are|was|were|has been|have been|will be|been)(?: now| all| already| successfully)? (?:book|cancel|confirm|sen[dt]|mov|refund|chang|updat|fix|solv|resolv|order|schedul|reschedul|reserv|transfer|open|clos|creat|add|remov|issu|replac|escalat|set|upgrad|plac|forward|fil|renew|register|enroll|charg|ship|deliver|purchas|bought|complet|initiat|made|call|contact|approv|submitt)\\p{L}*|you will (?:be|receive|get)|you(?:'ll| will)|your (?:\\p{L}+ ){1,4}(?:is|are|has|have|was|will)|(?:confirm(?:ation)?|reference|claim|case|ticket|booking|order) (?:number|code|id)|will (?:be|reach|arrive|receive|get|call|contact|send|come|take|ship)|reference|successfully`,
  ),
  instructs: words(
    `please (?:do(?:n't| not) )?(?!confirm|verify|ensure|provide|tell (?:me|us)|specify|enter|give|spell|wait|hold|repeat|say|hear|let|state|share|check|bear|stay)\\p{L}+|do(?:n't| not) forget|remember to|make sure|you (?:must|need to|have to|can|should)`,
  ),
  addresses: words(`you|your|yours|you're|you've|you'll`),
  agrees: opening(
    `(?:oh |ok |okay |well |um |uh )*(?:yes|yeah|yep|yup|ya|sure|correct|right|exactly|that(?:'s| is)? (?:is )?(?:right|correct|fine|good|great|perfect|ok|okay|works|will work|one|sounds)|(?:that )?(?:sounds|looks|seems|works)|perfect|great|awesome|excellent|wonderful|absolutely|definitely|of course|please do|go ahead|fine|i(?:'ll| will) take|let(?:'s| us)|ok|okay|cool|alright|all right|good|confirmed|agreed|indeed|it is|i do|i am|works|that(?:'s| is) me|speaking|this is (?:he|she))`,
  ),
  denies: opening(`(?:oh |well |um |uh )*(?:no|nope|nah|not|never|none|neither|i don't|i do not|i'm not|nothing)`),
  corrects: words(
    `actually|instead|rather|sorry|i mean|i meant|make (?:it|that)|change(?:d)? (?:it|that|my|the|to)|no,? (?:it's|that's|wait|not)|correction|wrong|my mistake|you(?:'re| are) right|(?:don't|do not) (?:\\p{L}+ )?(?:need|want|cancel)(?! (?:you|any))|no longer|forget (?:it|that|about|the)|never ?mind|leave (?:\\p{L}+ ){1,4}(?:off|out)|better(?= \\d)|not \\S+ but|new (?:phone|number|e-?mail|address|name)|scratch that|on second thought|(?:\\p{L}+['’](?:ve|s)|has|have|been) (?:moved|changed|postponed|rescheduled|switched)|(?:it|that|address|name|number|email|flight|appointment) (?:has )?changed`,
  ),
  another: words(
    `another|also|other|second|third|additional|alternat(?:e|ive)|secondary|as well|too|or|backup|work (?:phone|number|e-?mail|address)|office|business|emergency|during the|on weekends?|at weekends?|temporar(?:y|ily)|old|former(?:ly)?|previous(?:ly)?|used to`,
  ),
  ofOther: words(
    `((?:my|your) (?:wife|husband|partner|son|daughter|mother|father|mom|mum|dad|brother|sister|boss|friend|colleague|girlfriend|boyfriend|neighbou?r|landlord|assistant|parents|kids?|child|aunt|uncle|cousin|grandmother|grandfather|roommate|flatmate|doctor|manager|fianc[eé]e?))(?:['’]s)?|(his|her|their)`,
  ),
  relativeDay: words(
    `today|tonight|tomorrow|yesterday|(?:this|next|last|past|coming|previous) (?:\\p{L}+ )?(?:week|weekend|month|year|morning|afternoon|evening|night|summer|winter|spring|fall|autumn|monday|tuesday|wednesday|thursday|friday|saturday|sunday|few|semester|season|january|february|march|april|may|june|july|august|september|october|november|december)|(?:\\p{L}+|\\d+) (?:day|week|month|year|hour)s? (?:ago|from now|later)|ago|in (?:a|an|two|three|four|five|six|\\d+) (?:few |couple of )?(?:day|week|month|year)s?|(?:on |by |until |till |for )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|the other (?:day|week|night)|recently|lately|this (?:morning|afternoon|evening)|(?:end )?of (?:the|this) (?:day|week|month|year)|the day (?:after|before)`,
  ),
  beforeName: words(
    `my (?:full |first |last )?name(?:['’]s| is)?|(?:the )?name(?:['’]s| is)|i(?:['’]m| am) called|(?:you can |please )?call me|this is(?= \\p{Lu}\\p{L}+ (?:speaking|calling|here))|i['’]m`,
  ),
  beforeHome: words(
    `i (?:now )?live in|i(?:'ve| have)? (?:just |recently )?moved to|we (?:now )?live in|we(?:'ve| have)? (?:just |recently )?moved to|(?<=moved.{0,30})(?:i'm|we're|i am|we are)(?: now)? (?:at|in)|(?:send|deliver) it to`,
  ),
  numbers: {
    values: new Map([
      ...counted(
        'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
      ),
      ...counted('twenty thirty forty fifty sixty seventy eighty ninety', 20, 10),
      ...countsOf('oh=0 nought=0 naught=0 nil=0 niner=9'),
    ]),
    scales: countsOf('hundred=100 thousand=1000'),
    and: setOf('and'),
    repeat: countsOf('double=2 triple=3 treble=3 quadruple=4'),
    signs: mapOf(`dash=- hyphen=- minus=- slash=/ dot=. point=. period=. at=@ underscore=_ plus=+ apostrophe=' hash=#`),
    asIn: /^(?:as in|for|like|as)$/i,
  },
};
