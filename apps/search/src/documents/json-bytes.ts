/** Bytes that JSON is made of. */
export const quote = 0x22
export const comma = 0x2c
export const colon = 0x3a
export const openBracket = 0x5b
export const backslash = 0x5c
export const closeBracket = 0x5d
export const underscore = 0x5f
export const openBrace = 0x7b
export const closeBrace = 0x7d
/** Digits that a number holds exactly; longer ones are read by who knows bigints. */
export const exactDigitsMax = 15

/** ASCII characters that stand for themselves in a JSON text. */
export const plain = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x20 && byte < 0x80 && byte !== quote && byte !== backslash ? 1 : 0,
)
/** What may stand in a number beside digits. */
export const numeric = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[-+.eE0-9]/.test(String.fromCharCode(byte)) ? 1 : 0,
)
export const wellFormedNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
