import type { SecretReader } from '@turnkeeper/domain';
import { askedIn } from '../notes/attribute-table.js';
import { LEXICONS } from '../notes/languages/language.js';
import { remembered } from '../notes/remembered.js';

/** Words for what must never be remembered, in the languages of the notes. Boundaries by letter: `\b` knows only ASCII. */
const KEYWORDS = [
  // English
  "pass ?words?|pass ?codes?|pass ?phrases?|pwd|passwd|pin(?: code| number)?|cvv2?|cvc2?|cvn|card verification \\p{L}+|security (?:code|answer|question)|three digits on the back|otp|one[- ]time (?:code|password|passcode|pin)|(?:verification|authentication|authorization|confirmation sms|login|access|unlock) code|(?:six|four|6|4)[- ]digit code|api[- ]?keys?|secret (?:keys?|word|answer)|access (?:key|token)s?|private keys?|seed phrase|recovery (?:phrase|code)|social security|social(?= (?:is|number|digits)|\\W)|ssn|(?:credit|debit|bank) ?card (?:number|no|details)|(?<!(?:library|loyalty|membership|member|gift|insurance|health|student|reward|rewards|id|business) )(?:card|mastercard|visa|amex) number|number (?:of|on) (?:the|your|my) (?:credit |debit |bank )?card|mother['’]?s maiden name|maiden name|(?:memorable|security) (?:word|date|answer)|code (?:that )?(?:we|i)(?:'ve| have)? (?:just )?(?:text|sen|e-?mail)\\p{L}*|(?:sixteen|16|long) digits?|digits (?:on|from) the (?:front|back)",
  // Spanish
  'contraseñas?|clave(?: (?:secreta|de acceso|personal))?|código (?:de (?:seguridad|verificación|acceso)|secreto)|número (?:de (?:(?:la|su|mi|tu) )?tarjeta|pin|de la seguridad social|de seguro social)|seguro social|seguridad social|tarjeta de (?:crédito|débito)(?= (?:es|número)|:)|pregunta de seguridad|apellido de soltera|código que le (?:hemos|he|acab)\\p{L}*',
  // German
  'passw(?:ort|örter)|kennwort|geheimzahl|geheimnummer|prüfnummer|prüfziffer|sicherheits(?:code|frage|antwort|nummer)|karten(?:nummer|prüfnummer)|kreditkartennummer|(?:bestätigungs|verifizierungs|einmal)code|einmalpasswort|(?:meine|ihre|die|eine|deine) tan|tan-?nummer|(?:mobile|push|chip)[ -]?tan|tan|sozialversicherungsnummer|mädchenname|code(?:,| aus)? (?:den|der) (?:wir|ich|sms)',
  // French
  'mots? de passe|code (?:secret|pin|confidentiel|de (?:sécurité|vérification|confirmation par sms))|cryptogramme|numéro de (?:(?:la|votre|ma) )?carte|numéro de sécurité sociale|sécurité sociale|question (?:secrète|de sécurité)|nom de jeune fille|code (?:que (?:nous|je)|reçu)',
  // Portuguese
  'senhas?|palavra[- ]passe|código (?:de segurança|de verificação|secreto)|número d[oae] (?:seu |meu )?cartão|segurança social|pergunta de segurança|nome de solteira|cpf|código que (?:enviámos|enviamos|enviei|mandei)',
  // Vietnamese
  'mật khẩu|mã (?:pin|otp|cvv|bảo mật|xác thực|xác minh)|số thẻ|câu hỏi bảo mật|số an sinh|mã (?:em|bên em) vừa gửi',
].join('|');
const KEYWORD = new RegExp(`(?<![\\p{L}\\p{N}])(?:${KEYWORDS})(?![\\p{L}\\p{N}])`, 'gu');
/** Security questions: harmless as what people tell of themselves, secret as answers. */
const SECURITY_QUESTION =
  /(?<!\p{L})(?:(?:first|childhood) (?:pet|car|school|teacher|nickname|friend)|primera mascota|primer (?:coche|colegio)|erste[sn]? (?:haustier|auto)s?|premi(?:er animal|ère voiture|ère école)|primeiro (?:animal|carro)|thú cưng đầu tiên)(?!\p{L})|第一(?:只|个)宠物/iu;
/** A question after one of these is a security question, whatever it asks for. */
const ANNOUNCED =
  /(?<!\p{L})(?:for (?:your |the )?(?:security|verification|identification)|to (?:verify|confirm) (?:your identity|who you are|(?:that )?it(?:'s| is) you)|(?:por|para) (?:su |motivos de |razones de )?(?:seguridad|verificación)|para (?:verificar|confirmar) su identidad|aus sicherheitsgründen|zur (?:sicherheit|verifizierung|identifizierung)|um ihre identität zu \p{L}+|(?:par|pour (?:des raisons de|la|votre)) sécurité|pour (?:vérifier|confirmer) votre identité|(?:por|para) (?:sua |motivos de )?(?:segurança|verificação)|para (?:verificar|confirmar) (?:a )?sua identidade|(?:để|vì lý do) (?:bảo mật|xác minh|xác thực|an toàn))(?!\p{L})|(?:为了|出于)(?:安全|核实|验证)|(?:核实|验证)(?:您|你)?的?身份|安全问题/iu;
const CHINESE_KEYWORD = /密码|口令|验证码|安全码|卡号|社(?:会)?保(?:障)?号|密保|信用卡号|校验码/u;
/** The word alone, without a value, is harmless: "I forgot my password". */
const CHINESE_VALUE = /[是为：:=]|\d{3}/u;
/** The colon and the day in the frame of a note are no value. */
const FRAME = /(?<=\bsaid):(?= ["“])| \(said on \d{1,2} \p{L}+ \d{4}\)$/gu;
/**
 * What may follow such a word: its value, after "is" or a colon. If another clause begins first ("the password and was"),
 * what follows is about something else.
 */
const IS = "(?:is|was|are|es|era|ist|lautet|est|é|là|pass|it['’]s|c['’]est)";
const TOLD = new RegExp(
  `^(?:(?!\\b(?:but|because|as|since|so|aber|weil|pero|porque|parce|mais|mas)\\b|\\b(?:and|und|y|et|e|và) ${IS}(?!\\p{L}))[^.,;:=!?]){0,40}?` +
    `(?:(?:[.,;?!-] *(?:it )?|(?<!\\p{L}))${IS}[:,]? (?:(?:now|still|already|also|always|only|just|noch|immer|jetzt|ahora|ya|déjà|encore|agora) )*|[:=] ?)["'“]?(?<value>[^\\s"'“”.,;!?]+)`,
  'iu',
);
/** "Sunflower is my password" */
const TOLD_BEFORE = new RegExp(`(?<!\\p{L})${IS} (?:[^\\s.,;:!?]+ ){0,2}$`, 'iu');
/** First words after "is" that tell of a secret without giving it away: "is blocked", "was sent". */
const NO_VALUE =
  /^(?:not|no|never|being|been|going|in|on|at|by|with|since|for|from|until|wrong|correct|incorrect|valid|invalid|blocked|locked|disabled|expired|rejected|refused|accepted|required|needed|necessary|lost|forgotten|stolen|sent|delivered|received|reset|changed|renewed|revoked|replaced|asked|checked|stored|nicht|kein|keine|kann|können|ist|sind|darf|haben|möchten|seit|falsch|richtig|ungültig|gültig|gesperrt|abgelaufen|nötig|weg|desde|correct[ao]|incorrect[ao]|incorrecta|válid[ao]|bloquead[ao]|caducad[ao]|necesari[ao]|pas|depuis|bloqué|expiré|nécessaire|não|errad[ao]|inválid[ao]|expirad[ao]|không|sai|đúng)$/iu;
/** A day, whose year is no code. */
const DATE =
  /\d{4}-\d\d-\d\d|\d{1,2}(?:st|nd|rd|th)?\.? (?:de |of )?\p{L}{3,10} (?:de )?(?:19|20)\d\d|\d{1,2}[./]\d{1,2}[./](?:19|20)\d\d/giu;
const KEY = /\b(?:sk|pk|ghp|gho|xox[abp]|AKIA|AIza)[-_]?[\w-]{12,}/;
const SOCIAL_SECURITY = /\b\d{3}-\d{2}-\d{4}\b/;
/** Codes that are made to be told: "zip code 90210". */
const OPEN_CODE =
  'zip|post(?:al)?|area|country|city|region|branch|sort|dial(?:l?ing)?|booking|reservation|confirmation|order|product|item|error|tracking|reference|promo(?:tion)?|discount|coupon|voucher|gift|dress|bar|qr';
const CODE = new RegExp(`(?<!\\b(?:${OPEN_CODE})[ -]?)code(?: is|:)? \\d{4,8}\\b`, 'i');
const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,4})?\b/;
const CARD = /\b\d(?:[ -]?\d){12,18}\b/g;

/** Digits as words, in the languages of the notes; and words that repeat them. */
const DIGIT_WORDS = new Map(
  LEXICONS.flatMap(({ numbers }) => [...numbers.values])
    .filter(([, value]) => value < 10)
    .map(([word, value]) => [word, String(value)]),
);
const REPEATS = new Map(LEXICONS.flatMap(({ numbers }) => [...numbers.repeat]));
const [MIN_CARD_DIGITS, MAX_CARD_DIGITS] = [13, 19];

/**
 * Whether a text contains something that must never be remembered: a card or account number, a password, a PIN, a
 * one-time code, a security answer or a key; in digits or in words.
 */
export const holdsSecret = (text: string): boolean =>
  tellsValue(text) ||
  KEY.test(text) ||
  SOCIAL_SECURITY.test(text) ||
  CODE.test(text) ||
  IBAN.test(text) ||
  [...text.matchAll(CARD)].some(([digits]) => isCardNumber(digits.replace(/\D/g, ''))) ||
  holdsSpokenCard(text);

/**
 * Whether a question or request asks for a secret, so that its answer must not be remembered whatever it looks like:
 * "And the last four of your social?".
 */
export const asksForSecret = (question: string): boolean =>
  wordsForSecretsIn(question, KEYWORD).length > 0 ||
  CHINESE_KEYWORD.test(question) ||
  SECURITY_QUESTION.test(question) ||
  (ANNOUNCED.test(question) && /[?？]/.test(question) && !asksForIdentifier(question));

/** What a caller gives to be found, as opposed to what only they know: "For security, may I have your name?" */
const asksForIdentifier = (question: string): boolean =>
  askedIn(question).some(({ kind, name }) => kind !== 'text' || name.endsWith('address'));

/**
 * In small letters, "tan" is a colour. Matching a text in lower case is much faster than ignoring case, and `matchAll`
 * compiles a copy of the pattern for each text.
 */
const wordsForSecretsIn = remembered((text: string, pattern: RegExp): readonly RegExpExecArray[] => {
  const lower = text.toLowerCase();
  if (lower.search(pattern) < 0) return [];
  return [...lower.matchAll(pattern)].filter(
    ({ 0: word, index }) => word !== 'tan' || text.slice(index, index + word.length) === 'TAN',
  );
});

const MIN_SPOKEN_DIGITS = 3;
/** Whether a text names a secret, and something in it may be its value. */
const tellsValue = (framed: string): boolean => {
  const isNamed = wordsForSecretsIn(framed, KEYWORD).length > 0;
  if (!isNamed && !CHINESE_KEYWORD.test(framed)) return false;
  const text = framed.replace(FRAME, '');
  if (!isNamed) return CHINESE_VALUE.test(text);
  const named = wordsForSecretsIn(text, KEYWORD);
  const plain = text.replaceAll(DATE, ' ');
  return (
    named.some(({ 0: word, index }) =>
      isTold(text.slice(Math.max(0, index - LONGEST_PART), index), text.slice(index + word.length)),
    ) ||
    /\d{3}/.test(plain) ||
    plain.split(/\s/).some(isMixed) ||
    digitsAsWords(plain).some((digits) => digits.length >= MIN_SPOKEN_DIGITS)
  );
};

const isTold = (before: string, after: string): boolean => {
  const value = TOLD.exec(after.slice(0, LONGEST_PART))?.groups?.['value'];
  return (value !== undefined && !NO_VALUE.test(value)) || TOLD_BEFORE.test(before);
};
const LONGEST_PART = 200;

/** A word that mixes letters and digits, e.g. "tr0ub4dor". */
const isMixed = (word: string): boolean => word.length > 3 && /\d/.test(word) && /\p{L}/u.test(word);

/** Runs of digits that are spoken or written one after the other, as digits. */
const digitsAsWords = (text: string): string[] => {
  const runs: string[] = [];
  let run = '';
  let times = 1;
  for (const [word] of text.toLowerCase().matchAll(/\p{Script=Han}|\p{L}+|\d+/gu)) {
    const digits = DIGIT_WORDS.get(word) ?? (/^\d+$/.test(word) ? word : undefined);
    const repeat = REPEATS.get(word);
    if (repeat !== undefined) times = repeat;
    else if (digits !== undefined) {
      run += digits.repeat(times);
      times = 1;
    } else {
      if (run !== '') runs.push(run);
      run = '';
    }
  }
  return run === '' ? runs : [...runs, run];
};

/** Fewer digit words or digits than this cannot be a card number: "double" and groups of digits count once. */
const MIN_PARTS = 4;
const PART = new RegExp(
  `\\d+|\\p{Script=Han}|(?<!\\p{L})(?:${[...DIGIT_WORDS.keys()]
    .filter((word) => word.length > 1)
    .join('|')})(?!\\p{L})`,
  'giu',
);

const holdsSpokenCard = (text: string): boolean =>
  (text.match(PART)?.length ?? 0) >= MIN_PARTS &&
  digitsAsWords(text).some(
    (digits) => digits.length >= MIN_CARD_DIGITS && digits.length <= MAX_CARD_DIGITS && isCardNumber(digits),
  );

/** Luhn check, which every card number passes. */
const isCardNumber = (digits: string): boolean => {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
};

export const secrets: SecretReader = { holds: holdsSecret, isAskedFor: asksForSecret };
