import { statSync } from 'node:fs'
import { join } from 'node:path'
import { isAppError } from '@logstack/errors'
import { z } from 'zod'
import { hitsAnswer } from '../../evidence/answer-shape.ts'
import { askSearch } from '../../evidence/search-answers.ts'
import { type DoctorContext, defineFault } from './define-fault.ts'

/** A clock that stands before the programs were built is wrong by at least so much; events ahead by so much come from a wrong clock. */
const limits = { behindMs: 3_600_000, aheadMinutes: 10, hostsMax: 5 } as const
const answer = hitsAnswer(z.object({ host: z.object({ name: z.string().optional() }).optional() }))
const searched = '/logs-*,winlogbeat-*,endpoint-*/_search'

/** The clock of this host is wrong, or those of hosts that send events. */
export const clock = defineFault<undefined>({
  name: 'clock',
  title: 'clocks',
  async diagnose(context) {
    const { look, stack } = context
    const built = statSync(join(stack.paths.programDir, 'dist/operator.mjs')).mtimeMs
    if (Date.now() < built - limits.behindMs) {
      return {
        status: 'fault',
        problem: `the clock says ${new Date().toISOString()}, before the programs were built`,
        evidence: [`built ${new Date(built).toISOString()}`],
        meaning: 'certificates seem not to be valid yet, and events get a wrong time',
        found: undefined,
      }
    }
    const [ahead, synchronised] = await Promise.all([
      hostsAhead(context),
      look.command('timedatectl', 'show', '--property=NTPSynchronized', '--value'),
    ])
    const notes = [
      ...(ahead && ahead.length > 0
        ? [`events from more than ${limits.aheadMinutes} minutes ahead: ${ahead.join(', ')}; see the clocks there`]
        : []),
      ...(synchronised?.stdout.trim() === 'no' ? ['this host keeps its time by itself: timedatectl set-ntp true'] : []),
    ]
    if (notes.length > 0) return { status: 'information', detail: notes.join('; ') }
    return {
      status: 'healthy',
      detail: ahead ? 'no event comes from the future' : 'later than the programs were built',
    }
  },
  plan: () => ['timedatectl set-ntp true'],
})

function futureQuery(): string {
  const query = `@timestamp:>now+${limits.aheadMinutes}m`
  return new URLSearchParams({
    q: query,
    size: String(limits.hostsMax),
    _source_includes: 'host.name',
    ignore_unavailable: 'true',
    allow_no_indices: 'true',
  }).toString()
}

// While search cannot be asked, what is known of this host's own clock is told.
async function hostsAhead(context: DoctorContext): Promise<string[] | undefined> {
  try {
    return hostsIn(await askSearch(context, { path: `${searched}?${futureQuery()}`, answer }))
  } catch (thrown) {
    if (isAppError(thrown)) return undefined
    throw thrown
  }
}

/** The hosts of found events, each once. */
export function hostsIn(found: z.infer<typeof answer> | undefined): string[] {
  return [...new Set((found?.hits.hits ?? []).map(({ _source }) => _source.host?.name ?? 'a host without a name'))]
}
