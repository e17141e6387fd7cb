/** Maximum length of a record in characters (AgentCore's limit for record content). */
export const MAX_RECORD_LENGTH = 16_000;

/** Invisible characters that can hide or reorder the text around them: bidi controls, zero-width characters, tags. */
const HIDDEN = /[\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E007F}]/gu;
/** Joiners are needed in emoji and in scripts with joined letters; elsewhere they only hide text. */
const STRAY_JOINER =
  /(?<![\p{Extended_Pictographic}\uFE0F\p{M}\p{Script=Arabic}\p{Script=Devanagari}])[\u200C\u200D]/gu;
/** Images and links, which a renderer might fetch: the text is kept, the address is removed. */
const MARKDOWN_LINK = /!?\[([^[\]]*)\]\([^()]*\)/g;
const TAG = /<\/?[a-z!][^<>]*>/gi;
/** Tokens that chat templates put between turns. */
const TEMPLATE_TOKEN = /<\|[^<>|]{1,60}\|>|<<\/?SYS>>|\[\/?INST\]/gi;

const MAX_LAYERS = 8;

/**
 * Removes what is not meant for people from a record's text: hidden characters, markup that triggers a fetch, and
 * chat-template role tokens. Removing one may expose another, so it repeats until nothing changes. Returns null if the
 * text has more nested layers than occur by accident.
 */
export const cleanText = (text: string): string | null => {
  let current = text;
  for (let layer = 0; layer < MAX_LAYERS; layer += 1) {
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
