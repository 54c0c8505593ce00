/** M. F. Porter's algorithm for suffix stripping, 1980, over words in lower-case letters, as its author published it. */
export function porterStem(word: string): string {
  if (word.length < 3) return word
  let stem = withoutPlural(word)
  stem = withoutPast(stem)
  if (stem.endsWith('y') && hasVowel(stem.slice(0, -1))) stem = `${stem.slice(0, -1)}i`
  stem = replaced(stem, second, 0)
  stem = replaced(stem, third, 0)
  stem = withoutFourth(stem)
  return withoutLast(stem)
}

/** The word in `c` and `v`, by letter. */
function shape(word: string): string {
  let made = ''
  for (const [at, letter] of [...word].entries())
    made += 'aeiou'.includes(letter) || (letter === 'y' && at > 0 && made[at - 1] === 'c') ? 'v' : 'c'
  return made
}

function measure(stem: string): number {
  return shape(stem).match(/v+c+/gu)?.length ?? 0
}

function hasVowel(stem: string): boolean {
  return shape(stem).includes('v')
}

function endsDoubled(stem: string): boolean {
  return stem.length > 1 && stem.at(-1) === stem.at(-2) && shape(stem).endsWith('c')
}

function endsShort(stem: string): boolean {
  return shape(stem).endsWith('cvc') && !/[wxy]$/u.test(stem)
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2)
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

function withoutPast(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word
  const ending = word.endsWith('ed') ? 'ed' : word.endsWith('ing') ? 'ing' : ''
  const stem = word.slice(0, word.length - ending.length)
  if (ending === '' || !hasVowel(stem)) return word
  if (/(?:at|bl|iz)$/u.test(stem)) return `${stem}e`
  if (endsDoubled(stem) && !/[lsz]$/u.test(stem)) return stem.slice(0, -1)
  return measure(stem) === 1 && endsShort(stem) ? `${stem}e` : stem
}

const second: readonly (readonly [string, string])[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
  ['logi', 'log'],
]
const third: readonly (readonly [string, string])[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
]
const fourth = [
  'ement',
  'ance',
  'ence',
  'able',
  'ible',
  'ment',
  'ant',
  'ent',
  'ism',
  'ate',
  'iti',
  'ous',
  'ive',
  'ize',
  'al',
  'er',
  'ic',
  'ou',
]

function replaced(word: string, endings: readonly (readonly [string, string])[], above: number): string {
  for (const [ending, replacement] of endings) {
    if (!word.endsWith(ending)) continue
    const stem = word.slice(0, -ending.length)
    return measure(stem) > above ? stem + replacement : word
  }
  return word
}

function withoutFourth(word: string): string {
  if (/[st]ion$/u.test(word)) return measure(word.slice(0, -3)) > 1 ? word.slice(0, -3) : word
  return replaced(
    word,
    fourth.map((ending) => [ending, ''] as const),
    1,
  )
}

function withoutLast(word: string): string {
  let stem = word
  if (stem.endsWith('e')) {
    const rest = stem.slice(0, -1)
    const found = measure(rest)
    if (found > 1 || (found === 1 && !endsShort(rest))) stem = rest
  }
  return stem.endsWith('ll') && measure(stem) > 1 ? stem.slice(0, -1) : stem
}
