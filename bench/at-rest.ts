import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Times, timesOf } from './process-times.ts'
import { Stack } from './stack.mjs'

// What a stack costs that nobody uses: `node tools/run-ts.mjs bench/at-rest.ts [minutes] [DATA_DIR]`, after `node tools/build.mjs`. Starts a stack of its own with the agent of
// this machine, lets it settle for two minutes, measures it for three unless told, and prints Markdown: the seconds of a processor that each part takes in a minute, and which
// threads of search take them. With the data directory of a stack that runs it measures that one, at once.

const minutes = Number(process.argv[2] ?? 3)
const runningDir = process.argv[3]
const settleMs = 120_000
const minuteMs = 60_000

function threadsOf(pid: number): Map<string, Times> {
  const found = new Map<string, Times>()
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const times = timesOf(`/proc/${pid}/task/${thread}`)
    // The runtime names its helpers as itself: its pool runs the statements of the engine, others collect garbage.
    const name =
      Number(thread) === pid ? 'main thread of Node.js' : times?.name === 'node' ? 'pools of Node.js' : times?.name
    if (times && name !== undefined) found.set(`${thread} ${times.began}`, { ...times, name })
  }
  return found
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
}

function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
}

/** The processes of a stack by the names of their programs. */
function partsOf(supervisor: number): Map<string, number> {
  const programs = childrenOf(supervisor).map(
    (pid) => [/([a-z-]+)\.mjs/.exec(commandOf(pid))?.[1] ?? `${pid}`, pid] as const,
  )
  return new Map([...programs, ['operator', supervisor]])
}

async function measure(supervisor: number): Promise<void> {
  const parts = partsOf(supervisor)
  const search = parts.get('search')
  if (search === undefined) throw new Error('no search among the processes of the stack')
  const [before, threadsBefore] = [
    new Map([...parts].map(([name, pid]) => [name, timesOf(`/proc/${pid}`)])),
    threadsOf(search),
  ]
  await sleep(minutes * minuteMs)
  const taken = [...parts].map(([name, pid]) => ({
    name,
    seconds: ((timesOf(`/proc/${pid}`)?.ms ?? 0) - (before.get(name)?.ms ?? 0)) / 1_000 / minutes,
  }))
  const threads = new Map<string, number>()
  for (const [id, { name, ms }] of threadsOf(search))
    threads.set(name, (threads.get(name) ?? 0) + (ms - (threadsBefore.get(id)?.ms ?? 0)) / 1_000 / minutes)
  print(`part, of ${minutes} minutes, load ${loadavg()[0]?.toFixed(1)}`, taken)
  print(
    'threads of search',
    [...threads].map(([name, seconds]) => ({ name, seconds })),
  )
}

function print(title: string, rows: readonly { readonly name: string; readonly seconds: number }[]): void {
  console.log(`| ${title} | s of a processor in a minute |\n|---|---|`)
  for (const { name, seconds } of [...rows].sort((left, right) => right.seconds - left.seconds))
    console.log(`| ${name} | ${seconds.toFixed(2)} |`)
  console.log('')
}

/** The process that the parts of a stack are children of. */
async function supervisorIn(stack: Stack): Promise<number> {
  const list = JSON.parse(await stack.command('status', '--json')) as readonly { part: string; pid?: number }[]
  const pid = list.find(({ part }) => part === 'search')?.pid
  if (pid === undefined) throw new Error('search does not run')
  return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}

if (runningDir !== undefined) await measure(await supervisorIn(new Stack(process.cwd(), runningDir, 0)))
else {
  const dataDir = mkdtempSync(join(tmpdir(), 'logstack-bench-rest-'))
  const stack = new Stack(process.cwd(), join(dataDir, 'data'), 15_000 + Math.floor(Math.random() * 500) * 10)
  try {
    await stack.up()
    await sleep(settleMs)
    await measure(await supervisorIn(stack))
  } finally {
    await stack.down().catch(() => undefined)
    rmSync(dataDir, { recursive: true, force: true })
  }
}
