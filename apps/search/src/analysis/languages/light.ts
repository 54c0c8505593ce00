import { type Stem, snowballStemmers } from './snowball.ts'

/** Letters without the marks named, each the plain letter of its canonical decomposition. */
function plain(word: string, marked: string): string {
  return [...word].map((letter) => (marked.includes(letter) ? letter.normalize('NFD').charAt(0) : letter)).join('')
}

/** The consonants that a German `s` or `t` may follow as an ending. */
const germanConsonant = /[bdfghklmnt]$/u

/** German by the light stemmer of J. Savoy: endings of case and number, then of comparison. */
export const lightGerman: Stem = (given) => {
  let word = plain(given, 'äàáâöòóôïìíîüùúû')
  const long = word.length
  if (long > 5 && word.endsWith('ern')) word = word.slice(0, -3)
  else if (long > 4 && /e[mnrs]$/u.test(word)) word = word.slice(0, -2)
  else if (long > 3 && word.endsWith('e')) word = word.slice(0, -1)
  else if (long > 3 && word.endsWith('s') && germanConsonant.test(word.slice(0, -1))) word = word.slice(0, -1)
  if (word.length > 5 && word.endsWith('est')) return word.slice(0, -3)
  if (word.length > 4 && /e[rn]$/u.test(word)) return word.slice(0, -2)
  return word.length > 4 && word.endsWith('st') && germanConsonant.test(word.slice(0, -2)) ? word.slice(0, -2) : word
}

/** Spanish by the light stemmer of J. Savoy: gender and number. */
export const lightSpanish: Stem = (given) => {
  if (given.length < 5) return given
  const word = plain(given, 'àáâäòóôöèéêëùúûüìíîï')
  if (/[aeo]$/u.test(word)) return word.slice(0, -1)
  if (word.endsWith('eses')) return word.slice(0, -2)
  if (word.endsWith('ces')) return `${word.slice(0, -3)}z`
  return /[aeo]s$/u.test(word) ? word.slice(0, -2) : word
}

/** Italian by the light stemmer of J. Savoy: gender and number. */
export const lightItalian: Stem = (given) => {
  if (given.length < 6) return given
  const word = plain(given, 'àáâäòóôöèéêëùúûüìíîï')
  return word.replace(/(?:[ih][ei]|i[ao]|[aeio])$/u, '')
}

const portuguesePlurals: readonly (readonly [longer: number, ending: RegExp, instead: string])[] = [
  [4, /(?<=[rslz])es$/u, ''],
  [3, /ns$/u, 'm'],
  [4, /[eé]is$/u, 'el'],
  [4, /ais$/u, 'al'],
  [4, /óis$/u, 'ol'],
  [4, /is$/u, 'il'],
  [3, /[õã]es$/u, 'ão'],
  [6, /mente$/u, ''],
  [3, /s$/u, ''],
]

const portugueseFeminines: readonly (readonly [longer: number, ending: RegExp, instead: string])[] = [
  [7, /(inh|iac|eir)a$/u, '$1o'],
  [6, /(os|ic|id|ad|iv|am)a$/u, '$1o'],
  [6, /ona$/u, 'ão'],
  [6, /ora$/u, 'or'],
  [6, /esa$/u, 'ês'],
  [6, /na$/u, 'no'],
]

/** The first rule whose ending a word has, carried out. */
function firstRule(word: string, rules: typeof portuguesePlurals): string {
  const rule = rules.find(([longer, ending]) => word.length > longer && ending.test(word))
  return rule ? word.replace(rule[1], rule[2]) : word
}

/** Portuguese by the light stemmer of J. Savoy: number, then gender. */
export const lightPortuguese: Stem = (given) => {
  if (given.length < 4) return given
  let word = firstRule(given, portuguesePlurals)
  if (word.length > 3 && word.endsWith('a')) word = firstRule(word, portugueseFeminines)
  if (word.length > 4) word = word.replace(/[aeo]$/u, '')
  return plain(word, 'àáâäãòóôöõèéêëùúûüìíîïç')
}

/** Portuguese of Brazil: Snowball's rules for Portuguese, over plain letters. */
export const plainPortuguese: Stem = (word) => {
  const stem = snowballStemmers['portuguese']
  if (!stem) throw new Error('BUG: no stemmer of Portuguese')
  return plain(stem(word), 'áâãàéêíóôõúüçñ')
}

/** Arabic by the light stemmer of L. Larkey: one article or `and` before, endings after. */
export const lightArabic: Stem = (given) => {
  const before = ['ال', 'وال', 'بال', 'كال', 'فال', 'لل', 'و'].find(
    (prefix) => given.startsWith(prefix) && given.length >= (prefix === 'و' ? 4 : prefix.length + 2),
  )
  let word = given.slice(before?.length ?? 0)
  for (const ending of ['ها', 'ان', 'ات', 'ون', 'ين', 'يه', 'ية', 'ه', 'ة', 'ي'])
    if (word.endsWith(ending) && word.length >= ending.length + 2) word = word.slice(0, -ending.length)
  return word
}

const hindiEndings: readonly string[] = [
  'ाएंगी ाएंगे ाऊंगी ाऊंगा ाइयाँ ाइयों ाइयां',
  'ाएगी ाएगा ाओगी ाओगे एंगी ेंगी एंगे ेंगे ूंगी ूंगा ातीं नाओं नाएं ताओं ताएं ियाँ ियों ियां',
  'ाकर ाइए ाईं ाया ेगी ेगा ोगी ोगे ाने ाना ाते ाती ाता तीं ाओं ाएं ुओं ुएं ुआं',
  'कर ाओ िए ाई ाए ने नी ना ते ीं ती ता ाँ ां ों ें',
  'ो े ू ु ी ि ा',
].flatMap((endings) => endings.split(' '))

/** Hindi by the light stemmer of A. Ramanathan and D. Rao: the longest ending that leaves two letters. */
export const lightHindi: Stem = (word) => {
  const ending = hindiEndings.find((each) => word.endsWith(each) && word.length > each.length + 1)
  return ending === undefined ? word : word.slice(0, -ending.length)
}
