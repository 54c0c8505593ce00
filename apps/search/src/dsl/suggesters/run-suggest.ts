import type { SuggestRun } from './define-suggester.ts'
import type { SuggestRequest } from './read-suggest.ts'

/** The `suggest` member of an answer: the entries by their names, with `typedKeys` after the suggester. */
export async function runSuggest(
  requests: readonly SuggestRequest[],
  run: SuggestRun,
  typedKeys: boolean,
): Promise<Readonly<Record<string, unknown>>> {
  const answered: [string, unknown][] = []
  // One after the other: each asks for every word of its text, and what is asked at once keeps all other searches waiting.
  for (const request of requests) {
    const name = typedKeys ? `${request.type}#${request.name}` : request.name
    answered.push([name, await request.suggest(run)])
  }
  return Object.fromEntries(answered)
}
