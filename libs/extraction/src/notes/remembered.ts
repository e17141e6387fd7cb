const [MAX_TEXTS, LONGEST_TEXT] = [1_000, 1_000];

/**
 * A pure function of a text, and of few other values, that keeps its last results: several rules ask the same of a
 * sentence, strategies read the same window, and windows share messages.
 */
export const remembered = <Of, V extends object | string>(
  read: (text: string, of: Of) => V,
): ((text: string, of: Of) => V) => {
  const known = new Map<Of, Map<string, V>>();
  return (text, of) => {
    let results = known.get(of);
    const found = results?.get(text);
    if (found !== undefined) return found;
    if (results === undefined || results.size >= MAX_TEXTS) known.set(of, (results = new Map()));
    const value = read(text, of);
    if (text.length <= LONGEST_TEXT) results.set(text, value);
    return value;
  };
};
