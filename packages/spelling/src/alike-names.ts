import { editDistance } from './edit-distance.ts'

/** How alike names must be to be suggested. */
export interface Likeness {
  /** One less than the letters that differ, as a share of the longer name; more than that is enough. */
  readonly likenessMin?: number
  /** Whether just as much is enough, too. */
  readonly isJustEnough?: boolean
  /** How many letters may differ at most. */
  readonly editsMax?: number
  /** Whether two neighbours that changed places count as one letter that differs. */
  readonly swaps?: boolean
}

/** The known names that are like a mistyped one, the most alike first. Unless told otherwise, as Elasticsearch measures it: more than half of the letters. */
export function alikeNames(
  given: string,
  known: Iterable<string>,
  { likenessMin = 0.5, isJustEnough = false, editsMax = Number.POSITIVE_INFINITY, swaps = false }: Likeness = {},
): string[] {
  const measure = { likenessMin, editsMax, swaps }
  return [...known]
    .map((name) => ({ name, likeness: likenessOf(given, name, measure) }))
    .filter(({ likeness }) => likeness > likenessMin || (isJustEnough && likeness === likenessMin))
    .sort((a, b) => b.likeness - a.likeness || (a.name < b.name ? -1 : 1))
    .map(({ name }) => name)
}

/** One less the letters that differ, as a share of the longer name; nought where that is less than what is asked for. */
function likenessOf(
  given: string,
  name: string,
  { likenessMin, editsMax, swaps }: Required<Omit<Likeness, 'isJustEnough'>>,
): number {
  const longer = Math.max(given.length, name.length, 1)
  const most = Math.min(Math.ceil((1 - likenessMin) * longer), editsMax)
  // Names may be as long as requests: their letters are not counted where lengths differ too much.
  if (Math.abs(given.length - name.length) > most) return 0
  const distance = editDistance(given, name, most, swaps)
  return distance > most ? 0 : 1 - distance / longer
}

// Two slips of the fingers are common, and a hint for a word with three of them is more often wrong than right.
const slips: Likeness = { likenessMin: 2 / 3, isJustEnough: true, editsMax: 2, swaps: true }

/**
 * The known name that somebody probably meant: the same in other letters or signs, the shortest whose last or first part it is (`hostname` is
 * `host.hostname`, `offset` is `port-offset`), or the most alike with one letter of three and two at most mistyped; undefined when none is.
 */
export function meantName(given: string, known: Iterable<string>): string | undefined {
  const plain = plainName(given)
  if (plain === '') return undefined
  const names = [...known]
  const same = names.find((name) => plainName(name) === plain)
  if (same !== undefined) return same
  const whole = shortest(names.filter((name) => isPart(plain, name)))
  if (whole !== undefined) return whole
  const [nearest] = alikeNames(given.toLowerCase(), new Set(names.map((name) => name.toLowerCase())), slips)
  return names.find((name) => name.toLowerCase() === nearest)
}

/** `, did you mean [x]?` for the end of what is said of an unknown name; empty when none was probably meant. */
export function meantHint(given: string, known: Iterable<string>): string {
  const meant = meantName(given, known)
  return meant === undefined ? '' : `, did you mean [${meant}]?`
}

const signs = /[._-]+/u

function plainName(name: string): string {
  return name.toLowerCase().split(signs).join('')
}

function isPart(plain: string, name: string): boolean {
  const parts = name.toLowerCase().split(signs)
  return parts.length > 1 && (parts.at(-1) === plain || parts[0] === plain)
}

function shortest(names: readonly string[]): string | undefined {
  const [first, ...others] = names
  return others.reduce((best, name) => (best !== undefined && best.length <= name.length ? best : name), first)
}
