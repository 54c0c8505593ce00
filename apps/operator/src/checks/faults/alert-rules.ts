import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { alertRulesIndex } from '@logstack/contracts'
import { z } from 'zod'
import { hitsAnswer } from '../../clients/answer-shape.ts'
import { defineFault } from '../../doctor/define-fault.ts'
import { askSearch } from '../../evidence/search-answers.ts'

interface BrokenRule {
  /** The rule's file as it lies on this host. */
  readonly file: string
  readonly name: string
}

const ruleErrorSchema = z.object({
  message: z.string().nullish(),
  line: z.number().nullish(),
  column: z.number().nullish(),
})
const answer = hitsAnswer(
  z.object({ name: z.string(), file: z.string(), state: z.string(), error: ruleErrorSchema.nullish() }),
)
// What cannot be read, and what can and fails when it runs.
const wanted = { bool: { should: [{ term: { state: 'broken' } }, { exists: { field: 'error.message' } }] } }

const asideSuffix = '.broken'
const partsFolder = '/etc/logstack/rules/'

/** Rule files that the alerter cannot use. The others run; this one does not until it is corrected. */
export const alertRules = defineFault<readonly BrokenRule[]>({
  name: 'alert-rules',
  title: 'alert rules',
  explainedBy: ['mounts'],
  async diagnose(context) {
    const { rulesDir } = context.stack.paths
    const body = { size: 100, query: wanted }
    const found = await askSearch(context, { path: `/${alertRulesIndex.name}/_search`, body, answer })
    if (!found) return { status: 'unknown', why: 'the alerter has not told how its rules fare yet' }
    const hits = found.hits.hits.map(({ _source }) => {
      // The alerter names a file as its container sees it.
      const own = _source.file.includes(partsFolder)
        ? join(rulesDir, _source.file.slice(_source.file.indexOf(partsFolder) + partsFolder.length))
        : _source.file
      return { ..._source, own }
    })
    // What was corrected or moved away since the alerter looked is no fault any more.
    const broken = hits.filter(({ own, state }) => state === 'broken' && existsSync(own))
    // It is tried again at each run, and may have failed of what passes.
    const failing = hits.filter(({ state, error }) => state === 'running' && error)
    if (broken.length === 0 && failing.length > 0)
      return {
        status: 'information',
        detail: failing.map(({ name, error }) => `${name} failed at its last run: ${error?.message}`).join('; '),
      }
    if (broken.length === 0) return { status: 'healthy', detail: 'every rule file can be used' }
    return {
      status: 'fault',
      problem: `${broken.length === 1 ? 'an alert rule does' : `${broken.length} alert rules do`} not run: ${broken.map(({ name }) => name).join(', ')}`,
      evidence: broken.map(
        ({ own, error }) => `${own}:${error?.line ?? 1}:${error?.column ?? 1}: ${error?.message ?? 'cannot be read'}`,
      ),
      meaning: 'what the rule looks for raises no alert; the other rules run',
      found: broken.map(({ own, name }) => ({ file: own, name })),
    }
  },
  plan: (_context, rules) => [
    '# correct the line that is named, or let it be moved aside:',
    ...rules.map(({ file }) => `mv '${file}' '${file}${asideSuffix}'`),
  ],
  async repair(_context, rules) {
    for (const { file } of rules) if (existsSync(file)) renameSync(file, `${file}${asideSuffix}`)
  },
})
