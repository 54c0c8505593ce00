import { z } from 'zod'
import { defineFault } from '../../doctor/define-fault.ts'
import { askSearch } from '../../evidence/search-answers.ts'

const evidenceMax = 10

const takenSchema = z.object({ snapshot_name: z.string(), time: z.number(), details: z.string().optional() })
const policySchema = z.object({
  policy: z.object({ repository: z.string() }),
  last_success: takenSchema.optional(),
  last_failure: takenSchema.optional(),
})
const policiesAnswer = z.record(z.string(), policySchema)
const statusAnswer = z.object({ operation_mode: z.string() })
type Policy = z.infer<typeof policySchema>

/** Policies whose last snapshot failed: nobody reads the answer of what runs by night, and one learns of it when the backup is needed. */
export const backups = defineFault<readonly string[]>({
  name: 'backups',
  title: 'backups',
  ofOwnSearch: true,
  explainedBy: ['mounts', 'logical-volume', 'disk-space'],
  async diagnose(context) {
    const policies = Object.entries((await askSearch(context, { path: '/_slm/policy', answer: policiesAnswer })) ?? {})
    if (policies.length === 0) return { status: 'healthy', detail: 'no policy makes any (docs/snapshots.md)' }
    const failing = policies.filter(([, policy]) => isFailing(policy))
    if (failing.length === 0)
      return restingOr(await askSearch(context, { path: '/_slm/status', answer: statusAnswer }), policies)
    return {
      status: 'fault',
      problem: `the last snapshot of ${failing.map(([name]) => `[${name}]`).join(', ')} failed`,
      evidence: failing.slice(0, evidenceMax).map(([name, policy]) => evidenceOf(name, policy)),
      meaning: 'what was stored since the last good snapshot is in no backup',
      found: failing.map(([name]) => name),
    }
  },
  plan: (_context, names) => [
    '# what was seen says why: room where the repository lies, its owner, its keys',
    '# once that is mended:',
    ...names.map((name) => `POST /_slm/policy/${name}/_execute`),
  ],
})

function isFailing({ last_success: good, last_failure: bad }: Policy): boolean {
  return bad !== undefined && bad.time > (good?.time ?? 0)
}

function restingOr(status: z.infer<typeof statusAnswer> | undefined, policies: readonly [string, Policy][]) {
  if (status !== undefined && status.operation_mode !== 'RUNNING')
    return { status: 'information', detail: `policies rest, and make none: POST /_slm/start lets them go on` } as const
  const times = policies.flatMap(([, { last_success: good }]) => good?.time ?? [])
  const newest = times.length === 0 ? 'none made yet' : `newest of ${dated(Math.max(...times))}`
  return {
    status: 'healthy',
    detail: `${policies.length === 1 ? '1 policy' : `${policies.length} policies`}, ${newest}`,
  } as const
}

function evidenceOf(name: string, { policy, last_success: good, last_failure: bad }: Policy): string {
  const last = good === undefined ? 'there is no good one' : `the last good one is of ${dated(good.time)}`
  return `${name}: ${bad?.snapshot_name} of ${dated(bad?.time ?? 0)} in [${policy.repository}]: ${bad?.details ?? 'no reason is known'}; ${last}`
}

const dated = (timeMs: number): string => new Date(timeMs).toISOString()
