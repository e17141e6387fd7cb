const SIGNS: readonly RegExp[] = [
  /```/,
  /[=!<>]=|=>|<\/\w|\/>|&&|\|\||::|;\s*$/,
  /^\s*(?:const|let|var|def|import|class|function|return|public|private|export|async|await|for|while|if)\b[^.?!]*[({=;:]/,
  /\btraceback \(most recent call last\)|^\s*at [\w.$]+\(|\bfile "[^"]+", line \d+/i,
  /\b[a-z]+(?:_[a-z]+)+\b/,
  /\b\w+\.\w+\(|\b\w+\(\)/,
  /^\s*[{[]\s*"?\w+"?\s*[:,]/,
  /^\s*\w+\s*=\s*\S/,
  /^\s*(?:error|warn|warning|info|debug|fatal)\b[: ]+\d{4}-\d\d/i,
  /^\s*[$#>]\s*(?:cd|ls|rm|git|npm|sudo|docker|curl)\b|^\s*(?:cd|sudo|git|npm|docker|curl) \S/,
];

const STATEMENT = /^\s*(?:select|insert into|update|delete from|create table)\b/i;
const CLAUSE = /\b(?:from|where|values|set)\b/i;

/** In two steps: one pattern for all of it would look for the sign after each clause. */
const isSql = (line: string): boolean => {
  const statement = STATEMENT.exec(line)?.[0];
  if (statement === undefined) return false;
  const rest = line.slice(statement.length);
  const clause = rest.search(CLAUSE);
  return clause >= 0 && /[=;*(]/.test(rest.slice(clause));
};

/** A line of a program, a log, a command or data: not a statement by the speaker. */
export const isCode = (line: string): boolean => isSql(line) || SIGNS.some((sign) => sign.test(line));

const URL_WITH_PREPOSITION = /(?:\s(?:at|on|in|from|via|see|under|here))?:?\s{0,9}\(?\bhttps?:\/\/[^\s)]+\)?/gi;
/** A sentence without its URLs; empty if nothing else is left. */
export const withoutUrls = (text: string): string =>
  text.includes('://') ? text.replace(URL_WITH_PREPOSITION, '').trim() : text;

export const examples = {
  code: ['my_list = [x for x in y]', 'const me = { iAm: 33 };', 'SELECT a FROM b WHERE i = 1;', 'cd /home/me && ls'],
  text: ['I live in Hue.', 'My rent is 950 pounds; the flat is small', 'Let me know if (and when) you come.'],
};
