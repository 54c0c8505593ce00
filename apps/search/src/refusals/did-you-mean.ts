import { alikeNames, type Likeness } from '@logstack/spelling'

interface Suggesting extends Likeness {
  /** How many names are suggested at most. */
  readonly suggestedMax?: number
}

/** ` did you mean [x]?` or ` did you mean any of [x, y]?` for a mistyped name; empty when nothing is like it. */
export function didYouMean(given: string, known: Iterable<string>, { suggestedMax, ...how }: Suggesting = {}): string {
  const alike = alikeNames(given, known, how).slice(0, suggestedMax)
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
