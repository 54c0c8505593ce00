import type { SuggestRun } from './define-suggester.ts'
import type { SuggestRequest } from './read-suggest.ts'

/** The `suggest` member of an answer: the entries by their names, with `typedKeys` after the suggester. */
export async function runSuggest(
  requests: readonly SuggestRequest[],
  run: SuggestRun,
  typedKeys: boolean,
): Promise<Readonly<Record<string, unknown>>> {
  const answered = await Promise.all(
    requests.map(async (request) => {
      const name = typedKeys ? `${request.type}#${request.name}` : request.name
      return [name, await request.suggest(run)] as const
    }),
  )
  return Object.fromEntries(answered)
}
