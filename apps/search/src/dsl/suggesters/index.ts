import { completion } from './completion.ts'
import type { Suggester } from './define-suggester.ts'
import { phrase } from './phrase.ts'
import { term } from './term.ts'

/** Every suggester by its wire name. */
export const suggesters: ReadonlyMap<string, Suggester<unknown>> = new Map(
  [entry(completion), entry(phrase), entry(term)].map((suggester) => [suggester.name, suggester]),
)

function entry<T>(suggester: Suggester<T>): Suggester<unknown> {
  return {
    name: suggester.name,
    schema: suggester.schema,
    touch: (body, context) => suggester.touch(body as T, context),
    suggest: (body, text, run) => suggester.suggest(body as T, text, run),
  }
}
