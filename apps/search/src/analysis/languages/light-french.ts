import type { Stem } from './snowball.ts'

/** An ending of words longer than so many letters, what stands in its place, and whether the rules after it hold, too. */
type Rule = readonly [longer: number, ending: RegExp, instead: string, goesOn?: true]

const endings: readonly Rule[] = [
  [9, /issement$/u, 'ir'],
  [8, /issant$/u, 'ir'],
  [6, /ivement$/u, 'if'],
  [6, /ement$/u, 'e'],
  [11, /ficatrice$/u, 'fier'],
  [10, /ficateur$/u, 'fier'],
  [9, /catrice$/u, 'quer'],
  [8, /cateur$/u, 'quer'],
  [8, /atrice$/u, 'er'],
  [7, /ateur$/u, 'er'],
  [6, /trice$/u, 'teur', true],
  [5, /ième$/u, ''],
  [7, /teuse$/u, 'ter'],
  [6, /teur$/u, 'ter'],
  [5, /euse$/u, 'eu'],
  [8, /ère$/u, 'er'],
  [7, /ive$/u, 'if'],
  [4, /([fm])olle$/u, '$1ou'],
  [9, /nnelle?$/u, 'n'],
  [4, /ète$/u, 'et', true],
  [8, /ique$/u, '', true],
  [8, /esse$/u, 'e'],
  [7, /inage$/u, 'in'],
  [12, /ualisation$/u, 'uel'],
  [9, /isation$/u, ''],
  [9, /isateur$/u, ''],
  [8, /[ai]tion$/u, ''],
]

function withoutPlural(word: string): string {
  if (word.length > 5 && word.endsWith('x')) return word.replace(/(?<!e)aux$/u, 'alx').slice(0, -1)
  return word.length > 3 && word.endsWith('x') ? word.slice(0, -1) : word
}

/** Accents, doubled letters and the last letters of the infinitive. */
function normalized(given: string): string {
  if (given.length <= 4) return given
  let word = given.replace(/[àáâôèéêùûîç]/gu, (letter) => letter.normalize('NFD').charAt(0))
  word = word.replace(/(\p{L})\1+/gu, '$1')
  if (word.length > 4 && word.endsWith('i')) word = word.slice(0, -1)
  if (word.length <= 4) return word
  // `r` goes, then up to two `e` before it.
  return word
    .replace(/r$/u, '')
    .replace(/e{1,2}$/u, '')
    .replace(/(\p{L})\1$/u, '$1')
}

/** French by the light stemmer of J. Savoy. */
export const lightFrench: Stem = (given) => {
  let word = withoutPlural(given)
  if (word.length > 3 && word.endsWith('s')) word = word.slice(0, -1)
  for (const [longer, ending, instead, goesOn] of endings) {
    if (word.length <= longer || !ending.test(word)) continue
    word = word.replace(ending, instead)
    if (goesOn !== true) break
  }
  return normalized(word)
}
