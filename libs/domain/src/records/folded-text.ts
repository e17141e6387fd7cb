/** Without case, accents and the difference between full-width and ordinary letters: "Español" is "espanol". */
export const foldedText = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase()
    .normalize('NFC');
