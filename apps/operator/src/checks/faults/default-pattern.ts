import { z } from 'zod'
import { type DoctorContext, defineFault } from '../../doctor/define-fault.ts'
import { askPart } from '../../evidence/dashboard-answers.ts'
import { askSearch } from '../../evidence/search-answers.ts'
import { runStep } from '../../mending/run-step.ts'
import { indexPatterns } from '../../steps/index-patterns.ts'

const patternSchema = z.object({ id: z.string(), title: z.string(), timeFieldName: z.string().nullish() })
const patternsSchema = z.object({ data_view: z.array(patternSchema) })
const chosenSchema = z.object({ data_view_id: z.string().nullish() })
const countSchema = z.object({ count: z.number() })
type Pattern = z.infer<typeof patternSchema>

interface Found {
  /** The pattern that should be the Default; undefined when there are no patterns at all. */
  readonly better: Pattern | undefined
}

const patternsMax = 50
/** What a new stack gets first comes in any order, so the newest events say nothing about which pattern is the better one. */
const settledAge = '5m'

/** Discover opens on the wrong index: no pattern is the Default, or the Default matches no event while another pattern does. */
export const defaultPattern = defineFault<Found>({
  name: 'default-pattern',
  title: 'default index pattern',
  explainedBy: ['mounts'],
  async diagnose(context) {
    const [{ data_view: patterns }, { data_view_id: chosen }] = await Promise.all([
      askPart(context, 'dashboard', { path: '/api/data_views', answer: patternsSchema }),
      askPart(context, 'dashboard', { path: '/api/data_views/default', answer: chosenSchema }),
    ])
    const current = patterns.find(({ id }) => id === chosen)
    const own = current ? await eventsOf(context, current, { match_all: {} }) : 0
    if (current && own > 0) return { status: 'healthy', detail: `${current.title}, ${own} events` }
    const counted = await Promise.all(
      patterns.slice(0, patternsMax).map(async (pattern) => ({
        pattern,
        count: pattern === current ? own : await eventsOf(context, pattern, settledQuery(pattern)),
      })),
    )
    const best = counted.reduce<(typeof counted)[number] | undefined>(
      (most, one) => (one.count > (most?.count ?? 0) ? one : most),
      undefined,
    )
    if (current && best === undefined) return { status: 'healthy', detail: `${current.title}, no event yet` }
    return {
      status: 'fault',
      problem: current
        ? `the Default index pattern ${current.title} matches no event, ${best?.pattern.title} does`
        : 'no index pattern is the Default',
      evidence: counted.map(
        ({ pattern, count }) =>
          `${pattern.title}: ${count} events${pattern.id === chosen ? ' (Default)' : ` older than ${settledAge}`}`,
      ),
      meaning: 'Discover and new panels open on an empty index, as if no event had arrived',
      found: { better: best?.pattern ?? current ?? patterns[0] },
    }
  },
  plan: (_context, { better }) => [
    better
      ? `# Management, Stack Management, Index Patterns: ${better.title}, Set as default`
      : '# Management, Stack Management, Index Patterns: make logs-*, winlogbeat-* and endpoint-* again',
  ],
  async repair({ stack }, { better }, progress) {
    if (!better) return runStep(indexPatterns, stack, progress)
    const body = { data_view_id: better.id, force: true }
    await stack.clients.dashboard().request({ method: 'POST', path: '/api/data_views/default', body })
  },
})

/** Without a time field nothing says which events are new. */
function settledQuery({ timeFieldName: field }: Pattern): object {
  return field ? { range: { [field]: { lte: `now-${settledAge}` } } } : { match_all: {} }
}

async function eventsOf(context: DoctorContext, { title }: Pattern, query: object): Promise<number> {
  const path = `/${title.split(',').map(encodeURIComponent).join(',')}/_count?ignore_unavailable=true&allow_no_indices=true`
  const counted = await askSearch(context, { path, body: { query }, answer: countSchema })
  return counted?.count ?? 0
}
