import { withoutEnd } from '@turnkeeper/domain';
import { withVietnameseDates } from './dates.js';

/**
 * Basic rules for Vietnamese: names, home, work, family, likes, allergies and appointments of the speaker. Sentences
 * that match no rule are ignored.
 */
const SELF = '(?:tôi|mình|tui|tớ|em|anh|chị|con|cháu|chúng tôi|bọn mình|nhà mình|gia đình tôi)';
const OPENERS =
  /^(?:(?:dạ|vâng|ừ|à|ạ|xin chào|chào bạn|chào em|chào anh|chào chị|hiện tại|hiện nay|bây giờ|thật ra|thực ra)[,!. ]+)+/iu;
const SUBJECT = new RegExp(`^${SELF} `, 'iu');
const RELATIVE =
  '(?:vợ|chồng|con trai|con gái|con|bố|ba|cha|mẹ|má|anh trai|chị gái|em trai|em gái|ông|bà|ông nội|bà nội|ông ngoại|bà ngoại|bạn gái|bạn trai|bạn thân|sếp|chó|mèo|nhà|số điện thoại|sinh nhật|tên|địa chỉ|công ty|món ăn yêu thích|môn thể thao yêu thích|màu yêu thích)';
const OF_SELF = new RegExp(`^(${RELATIVE})(?: của)? (tôi|mình|tui|tớ|em|anh|chị|con|cháu) (.+)$`, 'iu');
/** "Em", "anh" and "chị" are "I" if the speaker calls themselves so. */
const ONLY_SELF = /^(?:tôi|mình|tui|tớ)$/iu;

const AND_I = new RegExp(`,? còn ${SELF} .*$`, 'iu');

/** How the predicate starts: what the speaker is, has, does or likes. */
const PREDICATE = new RegExp(
  '^(?:(?:đã|đang|sẽ|vẫn|cũng|rất|mới|vừa|vừa mới|hay|thường|luôn|không|không còn|chưa|chưa từng|cực kỳ|khá|hơi|bị|được|sắp|từng) )*' +
    '(?:tên là|tên|họ|sống|ở|sinh ra|quê|đến từ|chuyển|dọn|làm|làm việc|là|học|dạy|nghỉ việc|nghỉ làm|nghỉ học|bắt đầu|có|nuôi|kết hôn|ly hôn|lập gia đình|lấy vợ|lấy chồng|độc thân|' +
    'thích|ghét|yêu|mê|ưa|thích ăn|ăn|uống|chạy|dị ứng|kiêng|tập|chơi|hẹn|đặt|bay|đi|mua|bán|thuê|mất|gặp|sinh|bị|\\d{1,3} tuổi|nói|biết|lái|hút thuốc|bỏ)(?= |$)',
  'iu',
);
const ASKING_END = /(?:^|\s)(?:gì|đâu|nào|sao|bao nhiêu|bao giờ|mấy|ai|hả|nhỉ|chứ|chưa|không)$/iu;
const ASKING = /\?|(?:^|\s)(?:tại sao|thế nào|ở đâu|phải không|được không)(?=\s|$|[.!,])/iu;
const UNREAL = /(?:^|\s)(?:nếu|giá mà|giá như|ước gì|ước|giả sử|có lẽ|chắc là|hình như|muốn hỏi|nghe nói)(?=\s)/iu;
const UNNAMED = /(?:^|\s)(?:nó|họ|đó|đấy|này|kia|ấy|vậy|thế|bạn|đây)(?=[\s.,!]|$)/iu;
/** "ở đó" refers to a place, "hôm đó" to a day; elsewhere a final "đó" only softens the sentence. */
const POINTS_AT_PLACE = /(?:^|\s)(?:ở|tại|đến|tới|từ|về|vào|với|cho|hôm|ngày|lúc|khi|năm|tuần|tháng|bữa|hồi) đó$/iu;
/** "Tôi biết rồi" has no content. */
const MIN_PREDICATE_WORDS = 2;
const MIN_WORDS = 3;
const MAX_LENGTH = 200;

/**
 * The fact that a Vietnamese sentence states about its speaker, in the third person. Returns null if none is
 * recognised.
 *
 * @param at when it was said, ISO 8601
 */
export const vietnameseFact = (sentence: string, speaker: string, at: string): string | null => {
  const said = sentence.normalize('NFC').replace(/\s+/g, ' ').trim().replace(OPENERS, '');
  const bare = withoutEnd(said, /[.!…\s]/u).replace(/(?<!tuần|tháng)(?: ạ| nhé| nha| đó| rồi)$/u, '');
  const text = withVietnameseDates(bare, at);
  if (
    text.length > MAX_LENGTH ||
    ASKING.test(sentence.trim()) ||
    ASKING_END.test(withoutEnd(sentence, /[\s.!]/)) ||
    UNREAL.test(text) ||
    UNNAMED.test(text) ||
    POINTS_AT_PLACE.test(withoutEnd(sentence, /[\s.!…]/u))
  )
    return null;
  const who = speaker === 'User' ? 'người dùng' : speaker;
  // "…, còn chị ăn chay": a second statement, about someone else than the first.
  const own = OF_SELF.exec(text.replace(AND_I, ''));
  const fact =
    own !== null
      ? `${own[1] ?? ''} của ${who}${inThirdPerson(` ${own[3] ?? ''}`, own[2] ?? '', who)}`
      : SUBJECT.test(text)
        ? ownFact(text.replace(SUBJECT, ''), SUBJECT.exec(text)?.[0].trim() ?? '', who)
        : null;
  if (fact === null || fact.split(' ').length < MIN_WORDS) return null;
  return `${fact.charAt(0).toUpperCase()}${fact.slice(1)}.`;
};

const ownFact = (predicate: string, self: string, who: string): string | null =>
  !PREDICATE.test(predicate) || predicate.split(' ').length < MIN_PREDICATE_WORDS
    ? null
    : `${who}${inThirdPerson(` ${predicate}`, self, who)}`;

/** A second "I" in the same sentence is the same person: "nhà mình", "chồng chị". */
const inThirdPerson = (rest: string, self: string, who: string): string => {
  const words = ONLY_SELF.test(self) || !/^\p{L}+$/u.test(self) ? 'tôi|mình|tui|tớ' : `tôi|mình|tui|tớ|${self}`;
  return rest
    .replace(new RegExp(`(?<=\\s)(${RELATIVE})(?: của)? (?:${words})(?=[\\s.,]|$)`, 'giu'), `$1 của ${who}`)
    .replace(/(?<=\s)(?:tôi|mình|tui|tớ)(?=[\s.,]|$)/giu, who);
};

export const examples = [
  ['Tôi sống ở Huế.', 'Người dùng sống ở Huế.'],
  ['Mình tên là Lan.', 'Người dùng tên là Lan.'],
  ['Em bị dị ứng với tôm.', 'Người dùng bị dị ứng với tôm.'],
  ['Vợ tôi làm giáo viên.', 'Vợ của người dùng làm giáo viên.'],
  ['Tôi không ăn thịt bò.', 'Người dùng không ăn thịt bò.'],
  ['Ngày mai em hẹn bác sĩ.', 'Người dùng hẹn bác sĩ (ngày 11/5/2023).'],
  ['Dạ tuần trước vợ tôi sinh con gái ạ.', 'Vợ của người dùng sinh con gái (tuần từ 1/5/2023).'],
  ['Mẹ mình ăn chay nên nhà mình ít nấu thịt.', 'Mẹ của người dùng ăn chay nên nhà của người dùng ít nấu thịt.'],
  ['Chị chuyển đến Huế vì chồng chị đổi việc.', 'Người dùng chuyển đến Huế vì chồng của người dùng đổi việc.'],
  ['Mình chuyển đến Huế tháng rồi.', 'Người dùng chuyển đến Huế (tháng 4/2023).'],
  ['Ngày mai bạn bay à?', null],
  ['Bạn sống ở đâu?', null],
  ['Nếu tôi giàu tôi sẽ mua nhà.', null],
  ['Tôi thích nó.', null],
  ['Tôi làm việc ở đó.', null],
  ['Con gái tôi sẽ hát hôm đó.', null],
  ['Chồng chị dị ứng mực, còn chị ăn chay.', 'Chồng của người dùng dị ứng mực.'],
  ['Tôi biết rồi.', null],
  ['Chào bạn!', null],
] as const satisfies readonly (readonly [string, string | null])[];
