import { AppError, isAppError, searchErrors } from '@logstack/errors'
import { Double } from '../json/print-json.ts'
import type { FoundRatings } from './metrics.ts'
import { type RankEvaluation, type RatedRequest, ratedKey } from './rated-requests.ts'

/** A document as a search shows it. */
export type FoundHit = Readonly<Record<string, unknown>>

/** Runs the search of a request for its first documents. Throws what the search throws. */
export type RatedSearch = (request: RatedRequest, size: number) => Promise<readonly FoundHit[]>

/** Hits that are held for one answer, some 300 bytes each. */
const hitsHeldMax = 200_000

/** How well searches find what was rated: by request, and on the average of those that did not fail. `failureOf` says how an error is shown. */
export async function evaluateRanking(
  { requests, metric, concurrent }: RankEvaluation,
  search: RatedSearch,
  failureOf: (thrown: AppError) => unknown,
): Promise<Readonly<Record<string, unknown>>> {
  const answers = await runAll(requests, concurrent, (request) => search(request, metric.k))
  const [details, failures] = [new Map<string, unknown>(), new Map<string, unknown>()]
  const scores = new Map<string, number>()
  for (const [at, { id, ratings }] of requests.entries()) {
    const answer = answers[at]
    if (!answer) continue
    if (isAppError(answer)) {
      failures.set(id, { error: failureOf(answer) })
      continue
    }
    const found: FoundRatings = answer.map(({ _index, _id }) => ratings.get(ratedKey(_index, _id)))
    const quality = metric.measure(found, [...ratings.values()])
    scores.set(id, quality.score)
    details.set(id, {
      metric_score: new Double(quality.score),
      unrated_docs: answer.flatMap(({ _index, _id }, place) => (found[place] === undefined ? [{ _index, _id }] : [])),
      hits: answer.map((hit, place) => ({ hit, rating: found[place] ?? null })),
      metric_details: { [metric.name]: quality.details },
    })
  }
  const sum = [...scores.values()].reduce((all, score) => all + score, 0)
  return {
    metric_score: scores.size === 0 ? 'NaN' : new Double(sum / scores.size),
    details: Object.fromEntries(details),
    failures: Object.fromEntries(failures),
  }
}

async function runAll(
  requests: readonly RatedRequest[],
  concurrent: number,
  run: (request: RatedRequest) => Promise<readonly FoundHit[]>,
): Promise<readonly (readonly FoundHit[] | AppError)[]> {
  const answers = new Array<readonly FoundHit[] | AppError>(requests.length)
  let next = 0
  let held = 0
  const work = async () => {
    for (let at = next++; at < requests.length; at = next++) {
      const request = requests[at]
      if (!request) continue
      const answer = await run(request).catch((thrown: unknown) => {
        if (isAppError(thrown) && !isOfWhole(thrown)) return thrown
        throw thrown
      })
      answers[at] = answer
      held += isAppError(answer) ? 0 : answer.length
      if (held > hitsHeldMax) throw tooManyHits()
    }
  }
  await Promise.all(Array.from({ length: concurrent }, work))
  return answers
}

const ofWhole: ReadonlySet<string> = new Set(['parsing_exception', 'x_content_parse_exception', 'security_exception'])

/** Errors of what stands in the body or of who asks; all others are of the search that met them. */
function isOfWhole({ code }: AppError): boolean {
  return ofWhole.has(code)
}

function tooManyHits(): AppError {
  return new AppError(
    searchErrors.circuit_breaking_exception,
    `[rank_eval] Data too large, the searches found more than [${hitsHeldMax}] documents to show; rate fewer searches at once, or ask for a smaller [k]`,
  )
}
