const WORDS =
  'account address agent balance bicycle booking bread bridge camera ceiling cinema city coffee concert cousin delivery dinner doctor engine evening family ferry flight florist garden guitar harbour hotel invoice island jacket journey kitchen ladder library luggage market medicine meeting mountain museum neighbour office orange package parking passport pharmacy piano picture pillow pocket record refund river saddle school season shelter station student summer ticket tomato train umbrella vegetable village violin wallet weather window winter'.split(
    ' ',
  );

/** Random words, of about this many characters. */
export const sentence = (characters) => {
  const words = [];
  for (let length = 0; length < characters; length += (words.at(-1) ?? '').length + 1) {
    words.push(WORDS[Math.floor(Math.random() * WORDS.length)]);
  }
  return words.join(' ').slice(0, characters).trim();
};
