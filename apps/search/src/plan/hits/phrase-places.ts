/** What its words must be, one after the other, and how far they may have moved from there in all. */
export interface Phrase {
  readonly words: readonly ((token: string) => boolean)[]
  readonly slop: number
}

/** A word of a phrase: the places that it has, and the one it is looked at now. */
interface Pointer {
  readonly step: number
  readonly places: readonly number[]
  at: number
}

/** Where a phrase stands among the words of a text: the places of its words, in their order. */
export function phrasePlaces(tokens: readonly string[], { words, slop }: Phrase): (readonly number[])[] {
  return slop === 0 ? exactPlaces(tokens, words) : nearPlaces(tokens, words, slop)
}

function exactPlaces(tokens: readonly string[], words: Phrase['words']): (readonly number[])[] {
  const steps = [...words.keys()]
  const found: (readonly number[])[] = []
  for (let at = 0; at + words.length <= tokens.length; at++)
    if (words.every((holds, step) => holds(tokens[at + step] ?? ''))) found.push(steps.map((step) => at + step))
  return found
}

/** As Lucene finds them: the word that is furthest back is moved on, and each time that all are near enough is a match, once none comes that is nearer. */
function nearPlaces(tokens: readonly string[], words: Phrase['words'], slop: number): (readonly number[])[] {
  const pointers = words.map((holds, step): Pointer => ({ step, places: placesOf(tokens, holds), at: 0 }))
  const found: (readonly number[])[] = []
  if (pointers.some(({ places }) => places.length === 0)) return found
  const start = (each: Pointer) => (each.places[each.at] ?? Number.POSITIVE_INFINITY) - each.step
  for (;;) {
    const last = pointers.reduce((before, each) => (start(each) < start(before) ? each : before))
    const others = pointers.filter((each) => each !== last).map(start)
    const [next, far] = [Math.min(...others), Math.max(...others)]
    while ((last.places[last.at + 1] ?? Number.POSITIVE_INFINITY) - last.step <= next) last.at++
    const places = pointers.map((each) => each.places[each.at] ?? 0).sort((a, b) => a - b)
    // One place is not two words.
    if (far - start(last) <= slop && new Set(places).size === places.length) found.push(places)
    last.at++
    if (last.at >= last.places.length) return found
  }
}

function placesOf(tokens: readonly string[], holds: (token: string) => boolean): number[] {
  return tokens.flatMap((token, place) => (holds(token) ? [place] : []))
}
