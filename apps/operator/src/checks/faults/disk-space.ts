import { isAppError } from '@logstack/errors'
import { runCommand } from '@logstack/process'
import { type FileSystem, fileSystemsOf, freeWords, isShort, sizeWords } from '../../evidence/file-systems.ts'
import { oldestIndices, type SizedIndex } from '../../evidence/index-sizes.ts'
import { pruneArgv } from '../../steps/host/image.ts'
import { unproven } from '../../steps/unproven.ts'
import { type DoctorContext, defineFault } from './define-fault.ts'

interface Found {
  readonly short: readonly FileSystem[]
  /** Indices that are written no more, the oldest first; deleted only after a person said so. */
  readonly old: readonly SizedIndex[]
}

const pruneLimitMs = 120_000
const evidenceMax = 5

/** A file system of the stack is nearly full: what takes the space, and what may go. */
export const diskSpace = defineFault<Found>({
  name: 'disk-space',
  title: 'disk space',
  explainedBy: ['logical-volume'],
  async diagnose(context) {
    const systems = fileSystemsOf(context.stack)
    const short = systems.filter(isShort)
    if (short.length === 0) return { status: 'healthy', detail: systems.map(freeWords).join(', ') }
    const indices = await indicesOf(context)
    const largest = [...indices].sort((one, other) => other.bytes - one.bytes).slice(0, evidenceMax)
    return {
      status: 'fault',
      problem: short.map((system) => `${system.path} has ${freeWords(system)}`).join('; '),
      evidence: [
        ...short.map(({ path, holds }) => `${path} holds ${holds.join(', ')}`),
        ...largest.map(({ name, bytes, events }) => `${name}: ${sizeWords(bytes)}, ${events} events`),
      ],
      meaning: 'search refuses events when it is full; agents then keep theirs until there is room',
      found: { short, old: indices.filter(({ isWritten }) => !isWritten) },
    }
  },
  plan({ stack }, { short, old }) {
    const containersAreShort =
      stack.runtime.kind === 'podman' && short.some(({ holds }) => holds.includes('containers'))
    const names = old.slice(0, evidenceMax).map(({ name }) => name)
    return [
      ...(containersAreShort ? [pruneArgv.join(' ')] : []),
      ...(names.length > 0 ? [`# asked for each, the oldest first: DELETE /${names.join(', DELETE /')}`] : []),
      '# or move other files away, or give the disk more room',
    ]
  },
  async repair({ ask, stack }, { short, old }, progress) {
    if (stack.runtime.kind === 'podman' && short.some(({ holds }) => holds.includes('containers'))) {
      await runCommand(pruneArgv, { timeoutMs: pruneLimitMs })
    }
    // Events are deleted only by a person, one index at a time; without one to ask none is.
    for (const { name, bytes, events } of ask ? old : []) {
      if (!fileSystemsOf(stack).some(isShort)) return
      const answer = await ask?.(`Delete ${name} (${sizeWords(bytes)}, ${events} events)? [y/N] `, { secret: false })
      if (answer?.trim().toLowerCase() !== 'y') continue
      progress.waiting(`deleting ${name}`)
      await stack.clients.search().request({ method: 'DELETE', path: `/${encodeURIComponent(name)}` })
    }
  },
  async prove({ stack }) {
    const left = fileSystemsOf(stack).filter(isShort)
    const [first] = left
    if (first)
      throw unproven(`${first.path} still has ${freeWords(first)}: delete old indices, or move other files away`)
    return fileSystemsOf(stack).map(freeWords).join(', ')
  },
})

// A full disk is told also while search is down.
async function indicesOf(context: DoctorContext): Promise<readonly SizedIndex[]> {
  try {
    return await oldestIndices(context)
  } catch (thrown) {
    if (isAppError(thrown)) return []
    throw thrown
  }
}
