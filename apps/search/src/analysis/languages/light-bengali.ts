import type { Stem } from './snowball.ts'

/** Letters with a dot below as one character each, as the rules have them. */
function composed(word: string): string {
  return word
    .replaceAll('\u09a1\u09bc', '\u09dc')
    .replaceAll('\u09a2\u09bc', '\u09dd')
    .replaceAll('\u09af\u09bc', '\u09df')
}

/** Endings of verbs and nouns after P. Sengupta and B. Chaudhuri, by their length; one goes where two letters more than it remain. */
const endings: readonly (readonly string[])[] = [
  'িয়াছিলাম িতেছিলাম িতেছিলেন ইতেছিলেন িয়াছিলেন ইয়াছিলেন',
  'িতেছিলি িতেছিলে িতেছিলা িয়াছিলা িয়াছিলে িয়াছিলি য়েদেরকে',
  'িতেছিস িতেছেন িয়াছিস িয়াছেন েছিলাম েছিলেন েদেরকে',
  'িতেছি িতেছা িতেছে ছিলাম ছিলেন িয়াছি িয়াছা িয়াছে েছিলে েছিলা য়েদের দেরকে',
  'িলাম িলেন িতাম িতেন িবেন ছিলি ছিলে ছিলা তেছে িতেছ খানা খানি গুলো গুলি য়েরা েদের',
  'লাম িলি ইলি িলে ইলে লেন িলা ইলা তাম িতি ইতি িতে ইতে তেন িতা িবা ইবা িবি ইবি বেন িবে ইবে ছেন য়োন য়ের েরা দের',
  'িস েন লি লে লা তি তে তা বি বে বা ছি ছা ছে ুন ুক টা টি নি ের রা কে',
  'ি ী া ো ে ব ত',
].map((line) => composed(line).split(' '))

/** Bengali by its light stemmer: the longest ending. */
export const lightBengali: Stem = (given) => {
  const word = composed(given)
  for (const group of endings) {
    const ending = group.find((each) => word.endsWith(each) && word.length > each.length + 1)
    if (ending !== undefined) return word.slice(0, -ending.length)
  }
  return word
}

/** Letters that sound alike in Bengali, each with the one it is read as, after N. UzZaman and M. Khan. */
const alike: Readonly<Record<string, string>> = {
  '\u0981': '',
  '\u09c0': '\u09bf',
  '\u09c2': '\u09c1',
  '\u0999': '\u0982',
  '\u09b6': '\u09b8',
  '\u09b7': '\u09b8',
  '\u09a3': '\u09a8',
  '\u09dc': '\u09b0',
  '\u09dd': '\u09b0',
  '\u09ce': '\u09a4',
}

/** Bengali with one letter for each sound; silent and doubling second letters of clusters go. */
export function bengaliLetters(word: string): string {
  const read = [...composed(word)].map((letter) => alike[letter] ?? letter).join('')
  return read
    .replace(/^(.)\u09cd\u09af\u09be?/u, '$1\u09c7')
    .replace(/\u09cd\u09af/gu, '')
    .replace(/^(.)\u09cd\u09ac/u, '$1')
    .replace(/(.)\u09cd\u09ac/gu, '$1$1')
    .replace(/\u0983$/u, read.length <= 3 ? '\u09b9' : '')
    .replace(/\u0983(.)/gu, '$1$1')
}
