import { editDistance } from '@logstack/rules'

/** How alike names must be to be suggested. */
export interface Likeness {
  /** One less than the letters that differ, as a share of the longer name; more than that is enough. */
  readonly likenessMin?: number
  /** Whether just as much is enough, too, as ES|QL has it. */
  readonly isJustEnough?: boolean
}

/** The known names that are like a mistyped one, the most alike first. */
export function nearest(
  given: string,
  known: Iterable<string>,
  { likenessMin = 0.5, isJustEnough = false }: Likeness = {},
): string[] {
  return [...known]
    .map((name) => ({ name, likeness: likeness(given, name, likenessMin) }))
    .filter(({ likeness }) => likeness > likenessMin || (isJustEnough && likeness === likenessMin))
    .sort((a, b) => b.likeness - a.likeness || (a.name < b.name ? -1 : 1))
    .map(({ name }) => name)
}

/** One less the letters that differ, as a share of the longer name; nought where that is less than what is asked for. */
function likeness(given: string, name: string, least: number): number {
  const longer = Math.max(given.length, name.length, 1)
  const most = Math.ceil((1 - least) * longer)
  // Names may be as long as requests: their letters are not counted where lengths differ too much.
  if (Math.abs(given.length - name.length) > most) return 0
  const distance = editDistance(given, name, most, false)
  return distance > most ? 0 : 1 - distance / longer
}

/** ` did you mean [x]?` or ` did you mean any of [x, y]?` for a mistyped name; empty when nothing is like it. */
export function didYouMean(given: string, known: Iterable<string>, likeness: Likeness = {}): string {
  const alike = nearest(given, known, likeness)
  if (alike.length === 0) return ''
  return alike.length === 1 ? ` did you mean [${alike[0]}]?` : ` did you mean any of [${alike.join(', ')}]?`
}

/** What a request to a path is refused with for names of parameters or metrics that nobody knows. */
export function unrecognized(path: string, what: string, names: readonly string[], known: readonly string[]): string {
  const described = names.map((name) => {
    const meant = didYouMean(name, known)
    return `[${name}]${meant === '' ? '' : ` ->${meant}`}`
  })
  return `request [${path}] contains unrecognized ${what}${names.length > 1 ? 's' : ''}: ${described.join(', ')}`
}
