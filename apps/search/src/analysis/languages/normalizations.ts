import { bengaliLetters } from './light-bengali.ts'

type Normalize = (word: string) => string

function replaced(word: string, letters: Readonly<Record<string, string>>): string {
  return [...word].map((letter) => letters[letter] ?? letter).join('')
}

const serbianLetters: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [...'абвгдежзијклмнопрстћуфхцчш'].map((from, at) => [from, 'abvgdezzijklmnoprstcufhccs'.charAt(at)]),
  ),
  ђ: 'dj',
  љ: 'lj',
  њ: 'nj',
  џ: 'dz',
  đ: 'dj',
  č: 'c',
  ć: 'c',
  š: 's',
  ž: 'z',
}

/** Letters of Devanagari that Hindi writes in several ways, each with the one it is read as; what stands for nothing goes. */
const hindiLetters: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ['\u0901', '\u0902'],
    ['\u093c\u094d\u200c\u200d', ''],
    ['\u0929', '\u0928'],
    ['\u0931', '\u0930'],
    ['\u0934', '\u0933'],
    ['\u0958', '\u0915'],
    ['\u0959', '\u0916'],
    ['\u095a', '\u0917'],
    ['\u095b', '\u091c'],
    ['\u095c', '\u0921'],
    ['\u095d', '\u0922'],
    ['\u095e', '\u092b'],
    ['\u095f', '\u092f'],
    ['\u0945\u0946\u0948', '\u0947'],
    ['\u0949\u094a\u094c', '\u094b'],
    ['\u090d\u090e\u0910', '\u090f'],
    ['\u0911\u0912\u0914', '\u0913'],
    ['\u0972\u0906', '\u0905'],
    ['\u0908', '\u0907'],
    ['\u090a', '\u0909'],
    ['\u0960', '\u090b'],
    ['\u0961', '\u090c'],
    ['\u0940', '\u093f'],
    ['\u0942', '\u0941'],
    ['\u0944', '\u0943'],
    ['\u0963', '\u0962'],
  ].flatMap(([from = '', to = '']) => [...from].map((letter) => [letter, to])),
)

/** Filters that write the spellings of a language in one way, by their wire names. */
export const normalizations = {
  arabic_normalization: (word) =>
    word
      .replace(/[آأإ]/gu, 'ا')
      .replaceAll('ى', 'ي')
      .replaceAll('ة', 'ه')
      .replace(/[\u0640\u064b-\u0652]/gu, ''),
  bengali_normalization: bengaliLetters,
  german_normalization: (word) =>
    replaced(word.replace(/([ao])e/gu, '$1').replace(/(?<![aeiouyq])ue/gu, 'u'), { ß: 'ss', ä: 'a', ö: 'o', ü: 'u' }),
  hindi_normalization: (word) => replaced(word.replaceAll('\u0928\u094d', '\u0902'), hindiLetters),
  persian_normalization: (word) =>
    replaced(word, { ی: 'ي', ے: 'ي', ک: 'ك', '\u06c0': '\u0647', '\u06c1': '\u0647', '\u0654': '' }),
  scandinavian_folding: (word) =>
    replaced(word.replace(/([aA])[aeoAEO]/gu, '$1').replace(/([oO])[eoEO]/gu, '$1'), {
      å: 'a',
      ä: 'a',
      æ: 'a',
      Å: 'A',
      Ä: 'A',
      Æ: 'A',
      ö: 'o',
      ø: 'o',
      Ö: 'O',
      Ø: 'O',
    }),
  scandinavian_normalization: (word) =>
    replaced(
      word
        .replace(/a[ao]/gu, 'å')
        .replace(/A[aoAO]/gu, 'Å')
        .replace(/ae/gu, 'æ')
        .replace(/A[eE]/gu, 'Æ')
        .replace(/o[eo]/gu, 'ø')
        .replace(/O[eoEO]/gu, 'Ø'),
      { ä: 'æ', Ä: 'Æ', ö: 'ø', Ö: 'Ø' },
    ),
  serbian_normalization: (word) => replaced(word, serbianLetters),
} as const satisfies Readonly<Record<string, Normalize>>

/** Romanian's letters with a comma, also where they were written with a cedilla. */
export const romanianLetters: Normalize = (word) => replaced(word, { ş: 'ș', ţ: 'ț', Ş: 'Ș', Ţ: 'Ț' })

/** Greek in lower case, without accents, every sigma alike. */
export const greekLowerCase: Normalize = (word) =>
  word
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replaceAll('ς', 'σ')

/** Irish in lower case: a mutation before a great vowel is parted from it (`nAthair`, `n-athair`). */
export const irishLowerCase: Normalize = (word) => word.replace(/^([nt])(?=[AEIOUÁÉÍÓÚ])/u, '$1-').toLowerCase()

/** Turkish in lower case, with and without the dot. */
export const turkishLowerCase: Normalize = (word) => word.toLocaleLowerCase('tr')
