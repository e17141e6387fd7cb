/** Characters that show nothing and can hide or turn what stands beside them: bidi controls, zero widths, tags. */
const HIDDEN = /[\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E007F}]/gu;
/** Joiners belong to emoji and to scripts whose letters join; between others they only hide. */
const STRAY_JOINER =
  /(?<![\p{Extended_Pictographic}\uFE0F\p{M}\p{Script=Arabic}\p{Script=Devanagari}])[\u200C\u200D]/gu;
/** Pictures and links, which a reader's program may fetch: the words stay, the address goes. */
const MARKDOWN_LINK = /!?\[([^[\]]*)\]\([^()]*\)/g;
const TAG = /<\/?[a-z!][^<>]*>/gi;
/** What chat templates put between turns. */
const TEMPLATE_TOKEN = /<\|[^<>|]{1,60}\|>|<<\/?SYS>>|\[\/?INST\]/gi;

const MOST_LAYERS = 8;

/**
 * A record's text without what is not for people: hidden characters, markup that makes a program fetch something, and the
 * tokens by which chat templates tell roles apart. Taking one away may uncover another, so it is done until nothing
 * changes; null for a text that has more layers than occur by chance.
 */
export const cleanText = (text: string): string | null => {
  let current = text;
  for (let layer = 0; layer < MOST_LAYERS; layer += 1) {
    const next = current
      .replace(HIDDEN, '')
      .replace(STRAY_JOINER, '')
      .replace(TEMPLATE_TOKEN, ' ')
      .replace(MARKDOWN_LINK, '$1')
      .replace(TAG, ' ');
    if (next === current) return current === text ? text : current.replace(/ {2,}/g, ' ').trim();
    current = next;
  }
  return null;
};
