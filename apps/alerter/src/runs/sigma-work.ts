import { createHash } from 'node:crypto'
import type { SigmaSet } from '../sigma/sigma-set.ts'
import { SigmaRun, sigmaWorkId } from './sigma-run.ts'
import type { Work } from './work.ts'

/** The work of a set; `files` is what it was read from, for its revision. */
export function workOfSigma(set: SigmaSet, files: string): Work | undefined {
  const { indices } = set.matcher
  if (indices.length === 0) return undefined
  const rules = [...set.alerting.values()]
  const revision = createHash('sha256')
    .update(JSON.stringify([files, rules.map(({ id }) => id)]))
    .digest('base64url')
  return { id: sigmaWorkId, index: indices.join(','), revision, rules, resume: (from) => SigmaRun.resume(set, from) }
}
