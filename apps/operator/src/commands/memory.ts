import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { containerName, type PartName } from '@logstack/contracts'
import { AppError, isAppError, operatorErrors } from '@logstack/errors'
import type { Command } from 'commander'
import { takeLock } from '../lock/lock.ts'
import { writeFileAtomically } from '../places/write-file.ts'
import { loadDefinition, loadDefinitions } from '../quadlet/load.ts'
import { heapDropIn, memoryOf, parseSize, renderSize, withHeap, withLimit } from '../quadlet/memory.ts'
import { listPatiently, parsePart } from '../runtimes/start-order.ts'
import { isEmbedded, type Stack } from '../stack.ts'
import { type CommandContext, type RegisterCommand, stackOf } from './command.ts'
import { runTasks } from './progress.ts'
import { restartTasks } from './start-stop.ts'

interface SetOptions {
  readonly heap?: string
  readonly limit?: string
  readonly restart: boolean
}

/** The engine and the process around it do not start with less. */
const smallest = { heapBytes: 256 * 1024 ** 2, limitBytes: 512 * 1024 ** 2 } as const

/** `logstack memory show|set`: what the parts may take of the memory, and what they take. */
export const registerMemory: RegisterCommand = (program, context) => {
  const memory = program.command('memory').description("the engine's heap and the containers' limits")
  memory
    .command('show')
    .description("show each part's limit and use, and the ceiling of the engine")
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExample:\n  logstack memory show')
    .action(async (options: { json?: boolean }, command: Command) =>
      show(stackOf(command, context), options.json === true, context),
    )
  memory
    .command('set')
    .argument('[part]', "which part's definition; only search has a heap", 'search')
    .description('write the heap or the limit into the definition of a part, and restart the part')
    .option('--heap <size>', 'ES_JAVA_OPTS=-Xms<size> -Xmx<size> of search: 4g, 512m; "default" for half of the memory')
    .option('--limit <size>', 'PodmanArgs=--memory <size>: 8gb; "none" to remove it')
    .option('--no-restart', 'let it take effect at the next start')
    .addHelpText(
      'after',
      '\nExamples:\n  logstack memory set --heap 4g\n  logstack memory set --heap 4g --limit 8gb\n  logstack memory set dashboard --limit 1gb',
    )
    .action(async (name: string, options: SetOptions, command: Command) =>
      set(stackOf(command, context), parsePart(name), options, context),
    )
}

async function show(stack: Stack, asJson: boolean, context: CommandContext): Promise<void> {
  const list = await listPatiently(stack.runtime)
  const usedBytes = await stack.runtime.memoryUsed()
  const rows = [...loadDefinitions(stack.paths)].map(([part, definition]) => {
    const running = list.find((status) => status.part === part)?.state === 'running'
    return { part, ...memoryOf(definition), usedBytes: running ? usedBytes.get(part) : undefined }
  })
  const ceilingBytes = await engineCeiling(stack)
  stack.clients.close()
  if (asJson) {
    context.say(JSON.stringify({ hostBytes: totalmem(), ceilingBytes, parts: rows }, undefined, 2))
    return
  }
  for (const { part, limit, usedBytes: used } of rows) {
    const use = used === undefined ? 'not running' : `uses ${Math.round(used / 1024 ** 2)} MB`
    context.say(`${containerName(part).padEnd(26)} ${use.padEnd(14)} limit ${limit ?? 'none'}`)
  }
  const options = rows.find(({ part }) => part === 'search')?.javaOptions
  context.say(
    `engine's ceiling           ${ceilingBytes === undefined ? 'search does not answer' : inGigabytes(ceilingBytes)}`,
  )
  context.say(
    `set by                     ${options ? `ES_JAVA_OPTS=${options}` : 'default: half of the memory, at most 31 GB'}`,
  )
  context.say(`this host                  ${inGigabytes(totalmem())}`)
}

/** The engine's ceiling as search tells it; undefined when search does not answer. */
async function engineCeiling({ clients }: Stack): Promise<number | undefined> {
  type Stats = { nodes: Record<string, { jvm: { mem: { heap_max_in_bytes: number } } }> }
  try {
    const { body } = await clients.search().request<Stats>({ method: 'GET', path: '/_nodes/stats/jvm' })
    return Object.values(body.nodes)[0]?.jvm.mem.heap_max_in_bytes
  } catch (thrown) {
    if (isAppError(thrown)) return undefined
    throw thrown
  }
}

function inGigabytes(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(1)} GB`
}

async function set(stack: Stack, part: PartName, options: SetOptions, context: CommandContext): Promise<void> {
  const wanted = wantedOf(part, options)
  // Before there is a stack the clone's definitions are what an installation will take.
  const isOwn = isEmbedded(stack) && existsSync(stack.paths.environmentFile)
  if (isOwn && options.limit !== undefined) throw limitless(stack)
  const lock = takeLock(stack.paths.lockFile, 'logstack memory set')
  try {
    const file = isOwn ? changeDropIn(stack, part, wanted) : changeDefinition(stack, part, wanted)
    if (file === undefined) {
      context.say('it is set so already')
      return
    }
    await stack.runtime.reloadDefinitions?.()
    context.say(`changed ${file}`)
    await takeEffect(stack, part, options, context)
  } finally {
    lock.release()
    stack.clients.close()
  }
}

/** Changes the definition itself; answers its path, or undefined where it says so already. */
function changeDefinition({ paths }: Stack, part: PartName, wanted: Wanted): string | undefined {
  const file = join(paths.quadletDir, `${containerName(part)}.container`)
  if (!existsSync(file)) {
    throw new AppError(operatorErrors.definition_invalid, `the definition ${file} is missing`, {
      fix: './logstack config check',
    })
  }
  const before = readFileSync(file, 'utf8')
  const withNewHeap = 'heap' in wanted ? withHeap(before, wanted.heap) : before
  const after = 'limit' in wanted ? withLimit(withNewHeap, wanted.limit) : withNewHeap
  if (after === before) return undefined
  writeFileAtomically(file, after)
  return file
}

/**
 * Changes a drop-in in the data directory of a stack of `up`; answers as `changeDefinition`. The definitions of the checkout are those of every stack
 * that is started from it, and a change of theirs would stand in the way of `git pull`.
 */
function changeDropIn({ paths }: Stack, part: PartName, { heap }: Wanted): string | undefined {
  const folder = join(paths.dropInDir, `${containerName(part)}.container.d`)
  const file = join(folder, 'memory.conf')
  const before = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  const after = heapDropIn(heap, memoryOf(loadDefinition({ ...paths, dropInDir: join(folder, 'none') }, part)))
  if (after === before) return undefined
  mkdirSync(folder, { recursive: true })
  if (after === undefined) rmSync(file, { force: true })
  else writeFileAtomically(file, after)
  return file
}

async function takeEffect(stack: Stack, part: PartName, options: SetOptions, context: CommandContext): Promise<void> {
  const running = (await listPatiently(stack.runtime)).some(
    (status) => status.part === part && status.state !== 'absent',
  )
  if (!running) return
  if (options.restart) await runTasks(restartTasks(stack, [part]))
  else context.tell(`it takes effect at the next start: ./logstack restart ${part}`)
}

/** What is to be changed; present and undefined is back to the default. */
interface Wanted {
  readonly heap?: string | undefined
  readonly limit?: string | undefined
}

/** What the options ask for; `option_invalid` when it is nothing, or nothing possible. */
function wantedOf(part: PartName, { heap, limit }: SetOptions): Wanted {
  if (heap === undefined && limit === undefined)
    throw invalid('neither --heap nor --limit was given', 'logstack memory set --heap 4g')
  if (heap !== undefined && part !== 'search') throw invalid(`${part} has no heap`, 'give it a limit: --limit 1gb')
  return {
    ...(heap === undefined
      ? {}
      : { heap: heap === 'default' ? undefined : javaSize(checked('heap', heap, smallest.heapBytes)) }),
    ...(limit === undefined
      ? {}
      : { limit: limit === 'none' ? undefined : renderSize(checked('limit', limit, smallest.limitBytes)) }),
  }
}

function limitless({ paths }: Stack): AppError {
  const message = `a limit holds for the containers of logstack install; the stack in ${paths.root} runs as processes, which have none`
  return new AppError(operatorErrors.not_supported, message, {
    fix: 'give search a smaller heap: logstack memory set --heap 1g',
  })
}

function checked(name: string, text: string, leastBytes: number): number {
  const bytes = parseSize(text)
  if (bytes === undefined) throw invalid(`[${text}] is not a size`, 'write a number with m or g, such as 512m or 4g')
  if (bytes < leastBytes)
    throw invalid(`a ${name} of ${text} is too small to start with`, `give it ${renderSize(leastBytes)} or more`)
  if (bytes > totalmem()) {
    throw invalid(
      `this host has ${inGigabytes(totalmem())}, less than ${text}`,
      `half of it is a good heap: ${Math.floor(totalmem() / 1024 ** 3 / 2) || 1}g`,
    )
  }
  return bytes
}

function javaSize(bytes: number): string {
  return renderSize(bytes).replace(/b$/, '')
}

function invalid(message: string, fix: string): AppError {
  return new AppError(operatorErrors.option_invalid, message, { fix })
}
