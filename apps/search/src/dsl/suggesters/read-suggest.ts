import { AppError, searchErrors } from '@logstack/errors'
import { z } from 'zod'
import { didYouMean } from '../../refusals/did-you-mean.ts'
import { illegalArgument, parsingError } from '../../refusals/refuse.ts'
import { scalarText } from '../../values/scalar-text.ts'
import type { TracedContext } from '../lower-context.ts'
import type { SuggestedEntry, Suggester, SuggestRun, SuggestText } from './define-suggester.ts'
import { suggesters } from './index.ts'

/** One named entry of `suggest`, read. */
export interface SuggestRequest {
  readonly name: string
  readonly type: string
  touch(context: TracedContext): void
  suggest(run: SuggestRun): Promise<readonly SuggestedEntry[]>
}

const body = z.record(z.string(), z.unknown())
const textKinds = ['text', 'prefix', 'regex'] as const

/** Reads `suggest` of a search; its `text` counts for all entries without their own. Throws `parsing_exception`. */
export function readSuggest(given: unknown): readonly SuggestRequest[] {
  if (given === undefined) return []
  const entries = body.safeParse(given)
  if (!entries.success) throw parsingError('Expected [START_OBJECT] in [suggest]')
  const { text, ...named } = entries.data
  if (text !== undefined && typeof text !== 'string') throw parsingError('suggest does not support [text] of this kind')
  return Object.entries(named).map(([name, entry]) => readEntry(name, entry, text))
}

function readEntry(name: string, given: unknown, shared: string | undefined): SuggestRequest {
  const entry = body.safeParse(given)
  if (!entry.success) throw parsingError(`suggestion [${name}] must be an object`)
  let own: SuggestText | undefined
  const bodies: [string, unknown][] = []
  for (const [key, value] of Object.entries(entry.data)) {
    const kind = textKinds.find((each) => each === key)
    if (kind === undefined) bodies.push([key, value])
    else own = { kind, text: scalarText(value) }
  }
  const [first, second] = bodies
  if (!first) throw parsingError(`missing suggestion object`)
  if (second) throw parsingError(`suggestion [${name}] has more than one suggester: [${first[0]}], [${second[0]}]`)
  const [type, options] = first
  const suggester = suggesters.get(type)
  if (!suggester)
    throw new AppError(
      searchErrors.named_object_not_found_exception,
      `unknown field [${type}]${didYouMean(type, suggesters.keys())}`,
    )
  const text = own ?? (shared === undefined ? undefined : { kind: 'text' as const, text: shared })
  const request = bound(name, suggester, options, text ?? { kind: 'text', text: '' })
  if (text) return request
  const touch = () => {
    throw illegalArgument('The required text option is missing')
  }
  return { ...request, touch }
}

function bound<T>(name: string, suggester: Suggester<T>, given: unknown, text: SuggestText): SuggestRequest {
  const read = suggester.schema.safeParse(given)
  if (!read.success) {
    const [issue] = read.error.issues
    if (issue?.code === 'unrecognized_keys')
      throw parsingError(`suggester[${suggester.name}] doesn't support field [${issue.keys[0]}]`)
    if (issue?.path[0] === 'field' && issue.message.includes('undefined'))
      throw parsingError('the required field option is missing')
    throw parsingError(`[${suggester.name}] failed to parse field [${issue?.path.join('.') ?? ''}]: ${issue?.message}`)
  }
  return {
    name,
    type: suggester.name,
    touch: (context) => suggester.touch(read.data, context),
    suggest: (run) => suggester.suggest(read.data, text, run),
  }
}
