import { setTimeout as delay } from 'node:timers/promises'
import { isAppError } from '@logstack/errors'
import { runCommand } from '@logstack/process'
import { defineFault } from '../../doctor/define-fault.ts'
import {
  bytesLacking,
  type FileSystem,
  fileSystemsOf,
  filesWords,
  freeWords,
  fullMeans,
  isShort,
  isShortOfFiles,
  sizeWords,
} from '../../evidence/file-systems.ts'
import { largestIndices, type SizedIndex } from '../../evidence/index-sizes.ts'
import { chosenAge, type PurgeChoice, purgeChoices, smallestThatFrees } from '../../evidence/purge-choices.ts'
import type { Stack } from '../../stack.ts'
import { pruneArgv } from '../../steps/host/image.ts'
import { unproven } from '../../telling/unproven.ts'

interface Found {
  readonly short: readonly FileSystem[]
  /** What search would delete by age; only a person says that it goes. */
  readonly choices: readonly PurgeChoice[]
}

const limits = { pruneMs: 120_000, purgeMs: 900_000, freedMs: 60_000, pollMs: 500 } as const
const evidenceMax = 5

/** A file system of the stack is nearly full: what takes the space, and what may go. */
export const diskSpace = defineFault<Found>({
  name: 'disk-space',
  title: 'disk space',
  ofOwnSearch: true,
  explainedBy: ['mounts', 'logical-volume'],
  limitMs: 9_000,
  async diagnose(context) {
    const systems = fileSystemsOf(context.stack)
    const short = systems.filter((system) => isShort(system) || isShortOfFiles(system))
    if (short.length === 0) return { status: 'healthy', detail: systems.map(freeWords).join(', ') }
    const lacksRoom = holdsEvents(short.filter(isShort))
    const [largest, offered] = await Promise.all([
      lacksRoom ? orNothing(largestIndices(context)) : [],
      lacksRoom ? orNothing(purgeChoices(context)) : [],
    ])
    const { choices, others } = whatHelps(largest, offered, lacking(short))
    return {
      status: 'fault',
      problem: short.map((system) => `${system.path} has ${shortWords(system)}`).join('; '),
      evidence: [
        ...short.map(({ path, holds }) => `${path} holds ${holds.join(', ')}`),
        ...largest
          .slice(0, evidenceMax)
          .map(({ name, bytes, events }) => `${name}: ${sizeWords(bytes)}, ${events} events`),
        ...choices.map((choice) => `older than ${choice.age}: ${choiceWords(choice)}`),
        ...(others ? [others] : []),
      ],
      meaning: fullMeans(short),
      found: { short, choices },
    }
  },
  plan({ stack }, { short, choices }) {
    const choice = smallestThatFrees(choices, lacking(short))
    return [
      ...(containersAreShort(stack, short) ? [pruneArgv.join(' ')] : []),
      ...(choice
        ? [
            `# only if you say so; deletes ${choiceWords(choice)}:`,
            `./logstack retention purge --older-than ${choice.age}`,
            '# so that it does not fill again: ./logstack retention set --max-age …',
          ]
        : []),
      ...short.map((system) => {
        const disk = `"$(df --output=target "${system.path}" | tail -n 1)"`
        return isShort(system)
          ? `# what else takes the room: du -xh ${disk} | sort -h | tail`
          : `# which folders hold that many files: du -x --inodes ${disk} | sort -n | tail`
      }),
      '# move other files away, or give the disk more room',
    ]
  },
  async repair({ ask, stack }, { short, choices }, progress) {
    if (containersAreShort(stack, short)) await runCommand(pruneArgv, { timeoutMs: limits.pruneMs })
    // Events are deleted only by a person; without one to ask none is.
    const choice = smallestThatFrees(choices, lacking(short))
    if (!ask || !choice || !fileSystemsOf(stack).some(isShort)) return
    const offered = choices.map((one) => `${one.age}: ${choiceWords(one)}`).join('; ')
    const typed = await ask(`Delete what is older than (${offered}; empty: nothing): `, { secret: false })
    const age = chosenAge(choices, typed)
    if (age === undefined) return
    progress.waiting(`deleting what is older than ${age}`)
    await stack.clients.search().request({
      method: 'POST',
      path: '/_logstack/retention/_purge',
      query: { older_than: age },
      timeoutMs: limits.purgeMs,
    })
    // The engine gives the space back a moment after the indices are gone.
    const endMs = performance.now() + limits.freedMs
    while (fileSystemsOf(stack).some(isShort) && performance.now() < endMs) await delay(limits.pollMs)
  },
  async prove({ stack }) {
    const first = fileSystemsOf(stack).find((system) => isShort(system) || isShortOfFiles(system))
    if (first)
      throw unproven(`${first.path} still has ${shortWords(first)}: delete old events, or move other files away`)
    return fileSystemsOf(stack).map(freeWords).join(', ')
  },
})

/** What of the offered is worth a word: where all events together are less than what lacks, deleting them only loses them. */
export function whatHelps(
  indices: readonly SizedIndex[],
  offered: readonly PurgeChoice[],
  lackingBytes: number,
): { readonly choices: readonly PurgeChoice[]; readonly others?: string } {
  const heldBytes = indices.reduce((sum, { bytes }) => sum + bytes, 0)
  if (indices.length === 0 || heldBytes >= lackingBytes) return { choices: offered }
  const others = `all events together take ${sizeWords(heldBytes)}, and ${sizeWords(lackingBytes)} must become free: other files fill the disk`
  return { choices: [], others }
}

function shortWords(system: FileSystem): string {
  return [
    ...(isShort(system) ? [freeWords(system)] : []),
    ...(isShortOfFiles(system) ? [filesWords(system)] : []),
  ].join(', ')
}

function choiceWords({ indices, bytes, events }: PurgeChoice): string {
  return `${events} events, of them ${indices} whole ${indices === 1 ? 'index' : 'indices'} of ${sizeWords(bytes)}`
}

function holdsEvents(short: readonly FileSystem[]): boolean {
  return short.some(({ holds }) => holds.includes('events'))
}

function lacking(short: readonly FileSystem[]): number {
  return Math.max(0, ...short.filter((system) => holdsEvents([system])).map(bytesLacking))
}

function containersAreShort({ runtime }: Stack, short: readonly FileSystem[]): boolean {
  return runtime.kind === 'podman' && short.some(({ holds }) => holds.includes('containers'))
}

// A full disk is told also while search is down.
async function orNothing<T>(asked: Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await asked
  } catch (thrown) {
    if (isAppError(thrown)) return []
    throw thrown
  }
}
