import type { FilterTokens, Token } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'

const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'TH',
  ł: 'l',
  Ł: 'L',
  ı: 'i',
  ħ: 'h',
  Ħ: 'H',
  ŋ: 'n',
  Ŋ: 'N',
  ĸ: 'q',
  ŧ: 't',
  Ŧ: 'T',
  ŀ: 'l',
  Ŀ: 'L',
  ĳ: 'ij',
  Ĳ: 'IJ',
  ſ: 's',
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
  '…': '...',
}

/** A word in ASCII letters as far as it has such. */
function foldToAscii(word: string): string {
  if (!/[^\0-\x7f]/u.test(word)) return word
  return [...word.normalize('NFKD')]
    .map((letter) => (/\p{Mn}/u.test(letter) ? '' : (letters[letter] ?? letter)))
    .join('')
}

/** `asciifolding`: letters with marks as the plain ones; `preserve_original` keeps the word beside. */
export const asciifoldingFilter = defineComponent<FilterTokens>({
  name: 'asciifolding',
  create(options) {
    const keeps = options.flag('preserve_original', false)
    return (tokens) =>
      tokens.flatMap((token): Token[] => {
        const text = foldToAscii(token.text)
        return keeps && text !== token.text ? [{ ...token, text }, token] : [{ ...token, text }]
      })
  },
})
