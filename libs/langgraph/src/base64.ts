/** Bytes as base64, also where there is no Buffer. */
export const toBase64 = (bytes: Uint8Array): string => {
  if (typeof Buffer !== 'undefined')
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
};

export const fromBase64 = (text: string): Uint8Array =>
  typeof Buffer !== 'undefined'
    ? new Uint8Array(Buffer.from(text, 'base64'))
    : Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
