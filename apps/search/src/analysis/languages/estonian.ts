/** Estonian vowels, and those of them that endings follow. */
const vowel = /[aeiouõäöü]/u
const plainVowelLast = /[aeiou']$/u
const longVowelLast = /(?:aa|ee|ii|oo|uu|ää|öö|üü|õõ)$/u
/** Letters after which words are stressed by `ki`, and those after which it is `gi`. */
const kiLast = /[kptgbdshfšzž]$/u
const giLast = /[cjlmnqrvwxaeiouõäöü]$/u

/** What an ending becomes behind what is before it; undefined: it stays. */
type Ending = (before: string) => string | undefined

const taken = ''
const always: Ending = () => taken
const becomes =
  (text: string): Ending =>
  () =>
    text
const where =
  (fits: RegExp): Ending =>
  (before) =>
    fits.test(before) ? taken : undefined
const lettersBefore = 4
const afterVowel: Ending = (before) => (plainVowelLast.test(before) || longVowelLast.test(before) ? taken : undefined)

/** Endings written side by side, which all become the same. */
function endings(text: string, becoming: Ending): readonly (readonly [string, Ending])[] {
  return text.split(' ').map((ending) => [ending, becoming] as const)
}

const stress = new Map<string, Ending>([
  ['gi', (before) => (giLast.test(before) && !longVowelLast.test(before) ? taken : undefined)],
  ['ki', where(kiLast)],
])
const ofVerbs = new Map<string, Ending>([
  ...endings('nuksin nuksime nuksid nuksite ksin ksid ksime ksite mata takse dakse taks daks sime site sin', always),
  ['akse', becomes('a')],
  ...endings('me da n b', where(/[aeiouõäöü]$/u)),
])
const ofPersonsAndDeeds = new Map<string, Ending>([
  ...endings('lasse last lane lasi', becomes('lase')),
  ...endings('misse mist mine misi', becomes('mise')),
  ...endings('lisse list line lisi', becomes('lise')),
])
const ofCases = new Map<string, Ending>([
  ...endings('sse st le lt ga ks ta s l', afterVowel),
  ['t', (before) => (before.length >= lettersBefore ? taken : undefined)],
])
const ofPlurals = new Map<string, Ending>([
  ...endings('ikkude ikke ike', becomes('iku')),
  ['sid', (before) => (longVowelLast.test(before) ? undefined : taken)],
  ['te', genitive],
  ...endings('de d', afterVowel),
])
const ofDegrees = new Map<string, Ending>([
  ['mai', where(plainVowelLast)],
  ['ma', always],
  ['m', where(plainVowelLast)],
])
const ofPluralStems = new Map<string, Ending>([['i', where(plainVowelLast)]])
const ofParticiples = new Map<string, Ending>(endings('nu tu du va', always))

function genitive(before: string): string | undefined {
  if (before.length < lettersBefore) return 't'
  if (/(?:mis|las|lis)$/u.test(before)) return 'e'
  return before.endsWith('t') ? undefined : taken
}

/** Verbs that change their stem: what stands for them, the beginnings of their forms, and the endings these take. */
const present = 'n d b me te vad'
const presentToo = 'n d b s me te vad'
const conditional = 'ksin ksid ks ksime ksite'
const past = 'in id i ime ite'
const irregular: readonly (readonly [string, ...(readonly [string, string])[]])[] = [
  ['joo', ['joo', `${present} mata dakse ma`], ['jõ', past], ['juu', 'akse a']],
  ['saa', ['saa', `${present} ${conditional} mata dakse di ma da`], ['sa', past]],
  ['viima', ['vii', `${present} ${conditional} sin site sime mata akse di ma a`]],
  ['keesi', ['kee', `${presentToo} ${conditional} mata ma ta dakse`]],
  ['löö', ['löö', `${present} ${conditional} mata dakse di ma`], ['lüü', 'akse a']],
  ['lõi', ['lõ', past]],
  ['loo', ['loo', `${present} ${conditional} mata di ma`], ['luu', 'akse a']],
  ['käisi', ['käi', `${presentToo} ${conditional} mata akse di a ma`]],
  ['söö', ['söö', `${present} ${conditional} mata dakse di ma`], ['sõ', past], ['süü', 'akse a']],
  ['too', ['too', `${present} ${conditional} mata di ma`], ['tõ', past], ['tuu', 'akse a']],
  ['võisi', ['või', `${presentToo} ${conditional} mata dakse di da ma`]],
  ['jääma', ['jää', `${present} ${conditional} mata dakse da ma di`], ['jä', past]],
  ['müüsi', ['müü', `${presentToo} ${conditional} mata akse di a ma`]],
  ['luge', ['loe', `${present} ${conditional}`]],
  ['põde', ['põe', `${present} ${conditional}`]],
  ['ladu', ['lao', `${present} ${conditional}`]],
  ['tegi', ['tee', `${present} ${conditional}`], ['tege', 'mata ma'], ['teh', 'akse ti a']],
  ['nägi', ['näe', `${present} ${conditional}`], ['näge', 'mata ma'], ['näh', 'akse ti a']],
]
const ofIrregularVerbs = new Map(
  irregular.flatMap(([stem, ...forms]) =>
    forms.flatMap(([beginning, ends]) => ends.split(' ').map((end) => [beginning + end, stem] as const)),
  ),
)
const endingLengthMax = 7

/** Takes the longest ending of a list that lies behind `from`, where what is before it allows; undefined where none goes. */
function withoutEnding(word: string, from: number, list: ReadonlyMap<string, Ending>): string | undefined {
  for (let at = Math.max(from, word.length - endingLengthMax); at < word.length; at++) {
    const change = list.get(word.slice(at))
    if (!change) continue
    const before = word.slice(0, at)
    const becoming = change(before)
    return becoming === undefined ? undefined : before + becoming
  }
  return undefined
}

/** Where endings may begin: behind an apostrophe, else behind the first letter that follows a vowel and is none. */
function endingsFrom(word: string): number {
  const apostrophe = word.indexOf("'", 2)
  if (apostrophe >= 0) return apostrophe + 1
  const first = word.search(vowel)
  const next = first < 0 ? -1 : word.slice(first).search(/[^aeiouõäöü]/u)
  return next < 0 ? word.length : first + next + 1
}

/** A word of Estonian without its endings, by the stemmer that L. Freienthal made for the Snowball project. */
export function estonian(word: string): string {
  const known = ofIrregularVerbs.get(word)
  if (known !== undefined) return known
  const from = endingsFrom(word)
  const calm = stressed(word, from)
  const stem = withoutEnding(calm, from, ofVerbs) ?? noun(calm, from)
  const simple = stem.length > from ? stem.replace(/([kpt])\1([aeiouõäöü])$/u, '$1$2') : stem
  return simple.endsWith("'") ? simple.slice(0, -1) : simple
}

function stressed(word: string, from: number): string {
  return word.length < lettersBefore + 2 ? word : (withoutEnding(word, from, stress) ?? word)
}

function noun(given: string, from: number): string {
  let word = given
  for (const list of [ofPersonsAndDeeds, ofCases, ofPlurals, ofDegrees, ofPluralStems, ofParticiples])
    word = withoutEnding(word, from, list) ?? word
  return word
}
