import type { Stem } from './snowball.ts'

/** Endings of Czech nouns and adjectives by how many letters a word has at least to lose one, and how many go. */
const czechEndings: readonly (readonly [lettersMin: number, taken: number, endings: string])[] = [
  [8, 5, 'atech'],
  [7, 4, 'ětem etem atům'],
  [6, 3, 'ech ich ích ého ěmi emi ému ěte ete ěti eti ího iho ími ímu imu ách ata aty ých ama ami ové ovi ými'],
  [5, 2, 'em es ém ím ům at ám os us ým mi ou'],
  [4, 1, 'a e i o u ů y á é í ý ě'],
]

/** Czech by the light stemmer of L. Dolamic and J. Savoy: case, then possession, then changes within the stem. */
export const lightCzech: Stem = (given) => {
  let word = withoutEnding(given)
  if (word.length > 5 && /(?:ov|in|ův)$/u.test(word)) word = word.slice(0, -2)
  if (/[čš]t$/u.test(word)) return word.replace(/čt$/u, 'ck').replace(/št$/u, 'sk')
  if (/[cč]$/u.test(word)) return `${word.slice(0, -1)}k`
  if (/[zž]$/u.test(word)) return `${word.slice(0, -1)}h`
  if (/e.$/u.test(word)) return word.replace(/e(.)$/u, '$1')
  return word.length > 2 ? word.replace(/ů(.)$/u, 'o$1') : word
}

function withoutEnding(word: string): string {
  for (const [lettersMin, taken, endings] of czechEndings)
    if (word.length >= lettersMin && endings.split(' ').some((ending) => word.endsWith(ending)))
      return word.slice(0, -taken)
  return word
}

/** Latvian endings in the order they are tried, each with the vowels that a word has more than; a star where the consonant before it was softened. */
const latvianEndings = (
  'ajiem3 ajai3 ajam2 ajām2 ajos2 ajās2 iem2* ajā2 ais2 ai2 ei2 ām1 am1 ēm1 īm1 im1 um1 us1* as1 ās1 es1 os1* ij1 īs1 ēs1 is1 ie1 ' +
  'u1* a1* i1* e1 ā1 ē1 ī1 ū1 o1 s0 š0'
)
  .split(' ')
  .map((rule) => {
    const [, ending = '', vowels = '', softened = ''] = /^(\D+)(\d)(\*?)$/u.exec(rule) ?? []
    return { ending, vowels: Number(vowels), softened: softened !== '' }
  })

const hardened: readonly (readonly [RegExp, string])[] = [
  [/([pbmv])j$/u, '$1'],
  [/šņ$/u, 'sn'],
  [/žņ$/u, 'zn'],
  [/šļ$/u, 'sl'],
  [/žļ$/u, 'zl'],
  [/ļņ$/u, 'ln'],
  [/ļļ$/u, 'll'],
  [/č$/u, 'c'],
  [/ļ$/u, 'l'],
  [/ņ$/u, 'n'],
]

/** Latvian by a light form of K. Krēsliņš's stemmer: case, number, gender and definiteness of nouns and adjectives. */
export const lightLatvian: Stem = (word) => {
  const vowels = [...word].filter((letter) => 'aeiouāīēū'.includes(letter)).length
  const rule = latvianEndings.find(
    (each) => vowels > each.vowels && word.length >= each.ending.length + 3 && word.endsWith(each.ending),
  )
  if (!rule) return word
  const stem = word.slice(0, -rule.ending.length)
  if (!rule.softened) return stem
  if (rule.ending === 'u' && stem.endsWith('kš')) return `${stem.slice(0, -1)}st`
  if (rule.ending === 'u' && stem.endsWith('ņņ')) return `${stem.slice(0, -2)}nn`
  const change = hardened.find(([ending]) => ending.test(stem))
  return change ? stem.replace(change[0], change[1]) : stem
}
