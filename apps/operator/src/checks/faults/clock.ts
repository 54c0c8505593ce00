import { statSync } from 'node:fs'
import { join } from 'node:path'
import { defineFault } from './define-fault.ts'

/** A clock that stands before the programs were built is wrong by at least so much; events ahead by so much come from a wrong clock. */
const limits = { behindMs: 3_600_000, aheadMinutes: 10, hostsMax: 5 } as const
const searched = '/logs-*,winlogbeat-*,endpoint-*/_search'

/** The clock of this host is wrong, or those of hosts that send events. */
export const clock = defineFault<undefined>({
  name: 'clock',
  title: 'clocks',
  async diagnose({ look, stack }) {
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
      look.asAdmin(`${searched}?${futureQuery()}`),
      look.command('timedatectl', 'show', '--property=NTPSynchronized', '--value'),
    ])
    const hosts = hostsIn(ahead.state === 'answered' && ahead.status === 200 ? ahead.body : undefined)
    const notes = [
      ...(hosts.length > 0
        ? [`events from more than ${limits.aheadMinutes} minutes ahead: ${hosts.join(', ')}; see the clocks there`]
        : []),
      ...(synchronised?.stdout.trim() === 'no' ? ['this host keeps its time by itself: timedatectl set-ntp true'] : []),
    ]
    if (notes.length > 0) return { status: 'information', detail: notes.join('; ') }
    return { status: 'healthy', detail: 'no event comes from the future' }
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

/** The hosts of found events, each once. */
export function hostsIn(body: unknown): string[] {
  const { hits } = (body ?? {}) as { hits?: { hits?: { _source?: { host?: { name?: string } } }[] } }
  return [...new Set((hits?.hits ?? []).map(({ _source }) => _source?.host?.name ?? 'a host without a name'))]
}
