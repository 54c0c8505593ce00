import { boundedRegExp } from './bounded-regexp.ts'

/** Ranges of code points beyond ASCII that are no part of a word: spaces, punctuation, symbols, pictures. */
const separators: readonly (readonly [from: number, to: number])[] = [
  [0xab, 0xb4],
  [0xb6, 0xb9],
  [0xbb, 0xbf],
  [0xd7, 0xd7],
  [0xf7, 0xf7],
  [0x55a, 0x55f],
  [0x589, 0x58f],
  [0x5be, 0x5be],
  [0x5c0, 0x5c0],
  [0x5c3, 0x5c3],
  [0x600, 0x60f],
  [0x61b, 0x61f],
  [0x66a, 0x66d],
  [0x6d4, 0x6d4],
  [0x964, 0x965],
  [0xe3f, 0xe3f],
  [0x1680, 0x1680],
  [0x2000, 0x206f],
  [0x20a0, 0x20cf],
  [0x2190, 0x2bff],
  [0x2e00, 0x2e2e],
  [0x2e30, 0x2e7f],
  [0x3000, 0x3004],
  [0x3008, 0x3020],
  [0x30fb, 0x30fb],
  [0xe000, 0xf8ff],
  [0xfe00, 0xfe1f],
  [0xfe30, 0xfe6f],
  [0xfeff, 0xff0f],
  [0xff1a, 0xff20],
  [0xff3b, 0xff40],
  [0xff5b, 0xff65],
  [0xffe0, 0xffff],
  [0x1f000, 0x1faff],
]

const beyondAscii = separators.map(([from, to]) => `${String.fromCodePoint(from)}-${String.fromCodePoint(to)}`).join('')

/** Everything but what is listed: ASCII other than letters, `\x7f` to `©`, and the separators. */
const letter = `[^\\x00-@\\[-\`{-\u{a9}${beyondAscii}]`

/**
 * The standard analyzer's words: Unicode word breaks (UAX #29 as Lucene's StandardTokenizer reads them) and lower case. Letters keep an
 * inner `.`, `:` or apostrophe, digits an inner `.`, `,`, `;` or apostrophe, so `10.0.0.1` and `example.com` are one token each.
 * The same expression, as the engine's, indexes the text (`standardTokenPattern`), so both sides agree token by token. It lists what is no
 * letter: naming the letters (`\p{L}`) costs the engine twenty times as much to compile, which it does for every insert and merge, and depends
 * on each side's edition of Unicode.
 */
export const standardTokenPattern = `(?:${letter}+(?:[.:'’·]${letter}+)*|[0-9]+(?:[.,;'’][0-9]+)*|_+)+`

const words = boundedRegExp(standardTokenPattern, 'gu')

/** The tokens of a text in order, lower-cased. */
export function tokenize(text: string): string[] {
  return text.toLowerCase().match(words) ?? []
}
