import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { containerName, type PartName } from '@logstack/contracts'
import { defineFault } from '../../doctor/define-fault.ts'
import { restartParts } from '../../mending/restart-parts.ts'
import { writeFileAtomically } from '../../places/write-file.ts'
import { loadDefinitions } from '../../quadlet/load.ts'
import { memoryOf, parseSize, withHeap, withLimit } from '../../quadlet/memory.ts'

interface TooMuch {
  readonly part: PartName
  /** Which setting is taken back to its default. */
  readonly setting: 'heap' | 'limit'
  readonly problem: string
}

const gibibyte = 1024 ** 3
/** The engine needs room beside its heap; above the first share it is told, above the second it ends search sooner or later. */
const shares = { recommended: 0.5, possible: 0.9 } as const
/** No part starts with less. */
const limitBytesMin = 256 * 1024 ** 2

/** The engine's heap does not fit into the memory there is, or a container's limit is too small to start in. */
export const memory = defineFault<readonly TooMuch[]>({
  name: 'memory',
  title: 'memory settings',
  ofOwnSearch: true,
  runtimes: ['podman'],
  explainedBy: ['units'],
  async diagnose({ stack }) {
    const settings = [...loadDefinitions(stack.paths)].map(([part, definition]) => ({ part, ...memoryOf(definition) }))
    const tooMuch = settings.flatMap(({ part, javaOptions, limit }) =>
      judge(part, { javaOptions, limit, hostBytes: totalmem() }),
    )
    if (tooMuch.length > 0) {
      return {
        status: 'fault',
        problem: tooMuch.map(({ problem }) => problem).join('; '),
        evidence: [
          `this host has ${inGigabytes(totalmem())}`,
          ...settings
            .filter(({ javaOptions, limit }) => javaOptions !== undefined || limit !== undefined)
            .map(
              ({ part, javaOptions, limit }) =>
                `${containerName(part)}: ES_JAVA_OPTS=${javaOptions ?? 'not set'}, --memory ${limit ?? 'not set'}`,
            ),
        ],
        meaning: 'the kernel ends the part when it takes what it was promised (exit code 137)',
        found: tooMuch,
      }
    }
    const heap = heapBytes(settings.find(({ part }) => part === 'search')?.javaOptions)
    if (heap !== undefined && heap > totalmem() * shares.recommended) {
      return {
        status: 'information',
        detail: `the heap is ${inGigabytes(heap)}, more than half of this host's ${inGigabytes(totalmem())}`,
      }
    }
    return {
      status: 'healthy',
      detail:
        heap === undefined
          ? 'the heap is half of the memory'
          : `the heap is ${inGigabytes(heap)} of ${inGigabytes(totalmem())}`,
    }
  },
  plan: (_context, tooMuch) =>
    tooMuch.map(({ part, setting }) =>
      setting === 'heap' ? './logstack memory set --heap default' : `./logstack memory set ${part} --limit none`,
    ),
  async repair({ stack }, tooMuch, progress) {
    for (const { part, setting } of tooMuch) {
      for (const file of filesOf(stack.paths, part)) {
        const before = readFileSync(file, 'utf8')
        const after = setting === 'heap' ? withHeap(before, undefined) : withLimit(before, undefined)
        if (after !== before) writeFileAtomically(file, after)
      }
    }
    await stack.runtime.reloadDefinitions?.()
    await restartParts(stack, [...new Set(tooMuch.map(({ part }) => part))], progress)
  },
})

/** What of a part's memory settings cannot work on a host with so much memory. */
export function judge(
  part: PartName,
  { javaOptions, limit, hostBytes }: { javaOptions: string | undefined; limit: string | undefined; hostBytes: number },
): TooMuch[] {
  const limitBytes = limit === undefined ? undefined : parseSize(limit)
  const found: TooMuch[] = []
  if (limitBytes !== undefined && limitBytes > 0 && limitBytes < limitBytesMin) {
    found.push({
      part,
      setting: 'limit',
      problem: `--memory ${limit} of ${containerName(part)} is less than it needs to start`,
    })
  }
  const heap = part === 'search' ? heapBytes(javaOptions) : undefined
  const room = Math.min(hostBytes, limitBytes ?? Number.POSITIVE_INFINITY)
  if (heap !== undefined && heap > room * shares.possible) {
    const of = room === hostBytes ? `this host's ${inGigabytes(hostBytes)}` : `its container's limit of ${limit}`
    found.push({ part, setting: 'heap', problem: `the heap of ${inGigabytes(heap)} does not fit into ${of}` })
  }
  return found
}

/** The ceiling that Java options ask for: -Xmx, else -Xms; undefined when they name none. */
function heapBytes(javaOptions: string | undefined): number | undefined {
  const words = javaOptions?.split(/\s+/) ?? []
  const size = words.findLast((word) => word.startsWith('-Xmx')) ?? words.findLast((word) => word.startsWith('-Xms'))
  return size === undefined ? undefined : parseSize(size.slice('-Xmx'.length))
}

/** The definition of a part and its drop-ins: either may say it. */
function filesOf(paths: { readonly quadletDir: string; readonly dropInDir: string }, part: PartName): string[] {
  const definition = join(paths.quadletDir, `${containerName(part)}.container`)
  const folder = join(paths.dropInDir, `${containerName(part)}.container.d`)
  const dropIns = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.conf')) : []
  return [definition, ...dropIns.map((name) => join(folder, name))].filter(
    (file) => existsSync(file) && /ES_JAVA_OPTS|--memory|-m /.test(readFileSync(file, 'utf8')),
  )
}

function inGigabytes(bytes: number): string {
  return `${(bytes / gibibyte).toFixed(1)} GB`
}
