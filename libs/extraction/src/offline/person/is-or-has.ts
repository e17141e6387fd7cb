import { verbOf } from '../facts/verbs.js';

const SUBJECT =
  /^((?:my|our|the|an?) (?:[\p{L}-]+ ){0,3}?[\p{L}-]+|\p{Lu}\p{Ll}+|he|she)'s (?=((?:(?:just|already|also|still|finally|always|never|even|only|recently|now|currently|actually|really) )*)([\p{L}-]+)[,.!]*(?: ([\p{L}\d-]+))?)/iu;
const NO_PERSON =
  /^(?:it|that|this|what|who|where|when|how|why|there|here|let|everything|everyone|one|someone|somebody|nothing|nobody|life|today)$/i;
/** Begins what follows a verb; after a noun it would be odd. */
const BEHIND_VERB =
  /^(?:an?|the|my|our|his|her|their|me|us|him|them|it|you|to|in|at|on|up|out|off|back|into|for|from|with|over|through|around|down|away|about|as|by|near|every|some|all|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|\d+|again|together|next|this|here|there|under|because|since|and)$/i;
const HAS =
  /^(?:been|got|gotten|had|gone|become|done|begun|taken|given|grown|come|flown|fallen|moved|applied|signed|turned|switched|changed|returned|started|passed|decided|managed|learned|learnt|promised|agreed|asked|won|come|put)$/;
/** States, in which the participle is an adjective. */
const IS =
  /^(?:an?|the|my|our|not|in|at|on|into|from|called|named|based|buried|engaged|married|divorced|retired|stuck|pregnant|vegan|vegetarian|allergic|terrified|scared|obsessed|afraid|due|expecting|able|about|going|back|home|away|off|out|over|upset|worried|excited|proud|ill|sick|nervous|keen)$/;
/** Never nouns of the person: "my sister's getting married". */
const DOING =
  /^(?:getting|going|having|doing|making|coming|leaving|moving|taking|starting|planning|working|living|becoming|bringing|trying|learning|expecting|visiting|flying|staying|looking|thinking|considering|applying|retiring|graduating|turning)$/;
const NOUN =
  /^(?:wedding|christening|evening|morning|housewarming|building|ceiling|clothing|ring|earring|spring|thing)$/;

/** "My uncle's taking us" → "is taking", "Emil's got a dog" → "has got"; "my uncle's boat" and unclear ones stay. */
export const isOrHas = (text: string): string =>
  text.replace(SUBJECT, (whole: string, who: string, adverbs: string, next: string, after = '') => {
    if (NO_PERSON.test(who)) return whole;
    const word = next.toLowerCase();
    const isPronoun = /^(?:he|she)$/i.test(who);
    const goesOn = after === '' ? isPronoun : BEHIND_VERB.test(after);
    if (NOUN.test(word)) return whole;
    if (IS.test(word)) return `${who} is `;
    if (DOING.test(word)) return `${who} is `;
    if (/^\p{L}{2,}ing$/u.test(word) && word !== 'being') return isPronoun || goesOn ? `${who} is ` : whole;
    if (HAS.test(word) && (isPronoun || goesOn || adverbs !== '' || /^(?:been|got|gone|become|had)$/.test(word)))
      return `${who} has `;
    if (verbOf(word)?.form === 'past' && goesOn && !/^(?:by|in|at|on|from|with|to|near|under|and)$/i.test(after))
      return `${who} has `;
    return whole;
  });

export const examples = [
  ["My uncle's taking us to a match", 'My uncle is taking us to a match'],
  ["My uncle's new boat sank", "My uncle's new boat sank"],
  ["My mum's cooking is famous", "My mum's cooking is famous"],
  ["My sister's getting married", 'My sister is getting married'],
  ["My mum's painting the fence", 'My mum is painting the fence'],
  ["My sister's wedding in May was small", "My sister's wedding in May was small"],
  ["Emil's got a new bike", 'Emil has got a new bike'],
  ["Emil's into chess", 'Emil is into chess'],
  ["She's moved back to Ghent", 'She has moved back to Ghent'],
  ["She's buried under the oak", 'She is buried under the oak'],
  ["He's put three dishes on the menu", 'He has put three dishes on the menu'],
  ["My dad's lost dog came home", "My dad's lost dog came home"],
  ["It's got three rooms", "It's got three rooms"],
  ["What's taking so long", "What's taking so long"],
] as const;
