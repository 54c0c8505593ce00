import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LineState } from './soak/cut-proxy.ts'
import { NumberedLogs } from './soak/numbered-logs.ts'
import { Random } from './soak/random.ts'
import { type SoakStack, startSoakStack } from './soak/soak-stack.ts'
import { countStored, faultsOf, storedLines } from './soak/stored-lines.ts'
import { eventually } from './stack.ts'

// Every line that programs write is in search once and in order, whatever is killed and cut on its way. docs/reliability.md has the long runs.

const minutes = Number(process.env['LOGSTACK_SOAK_MINUTES'] ?? 0.3)
const seed = Number(process.env['LOGSTACK_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
/** Where a run leaves its figures. */
const reportFile = process.env['LOGSTACK_SOAK_REPORT']
const agents = ['first', 'second']
const files = ['web.log', 'app.log']
const cuts: readonly LineState[] = ['refused', 'reset', 'silent', 'slow']
/** The longest of a cut, in milliseconds: a long run has some that outlast the agents' patience with one request. */
const cutMsMax = minutes < 1 ? 2_000 : 75_000
/** How long nothing may arrive: on a busy machine a long run leaves hundreds of thousands of lines in the spools. */
const drainLimitMs = 240_000

let stack: SoakStack
beforeAll(async () => {
  stack = await startSoakStack(agents)
})
afterAll(() => stack?.stop())

const until = { over: false }
const done: Record<string, number> = {}
const count = (what: string): void => {
  done[what] = (done[what] ?? 0) + 1
}

async function writeLogs(logs: NumberedLogs, random: Random): Promise<void> {
  while (!until.over) {
    logs.write(random.between(1, 40))
    if (random.next() < 0.03) logs.rotate()
    await sleep(random.between(20, 200))
  }
  logs.finish()
}

/** Kills one part after the other; in a short run each comes once. */
async function killParts(random: Random): Promise<void> {
  let turn: string[] = []
  while (!until.over) {
    if (turn.length === 0) turn = [...stack.parts].sort(() => random.next() - 0.5)
    const part = turn.pop() ?? ''
    await stack.kill(part)
    count(`${agents.includes(part) ? 'agent' : part} killed`)
    await sleep(random.between(100, minutes < 1 ? 2_500 : 8_000))
  }
}

/** Most cuts are short; the square keeps the longest rare. */
async function cutLines(random: Random): Promise<void> {
  while (!until.over) {
    const line = random.of(Object.values(stack.lines))
    const state = random.of(cuts)
    await line.set(state)
    count(`line ${state}`)
    await sleep(100 + random.next() ** 2 * cutMsMax)
    await line.set('open')
    await sleep(random.between(100, minutes < 1 ? 1_500 : 6_000))
  }
}

async function allArrived(total: number): Promise<void> {
  for (let stored = 0; stored < total; await sleep(1_000)) {
    stored = await eventually(`more than ${stored} of ${total} lines arrive`, drainLimitMs, async () => {
      const count = await countStored(stack.client)
      return count > stored ? count : undefined
    })
  }
}

test(
  'every line is in search once and in order, though every part is killed and every line cut',
  async () => {
    process.stdout.write(`soak: LOGSTACK_SEED=${seed} LOGSTACK_SOAK_MINUTES=${minutes}\n`)
    const logs = agents.map((agent, at) => {
      const random = new Random(seed + at)
      return { random, log: new NumberedLogs(stack.folderOf(agent), agent, files, random) }
    })
    // What was rotated away before an agent first looked is not its business: it has seen every file before anything happens to it.
    for (const { log } of logs) log.begin()
    await eventually('the first line of each file arrives', drainLimitMs, async () =>
      (await countStored(stack.client)) === agents.length * files.length ? true : undefined,
    )
    const end = setTimeout(() => {
      until.over = true
    }, minutes * 60_000)
    const work = [
      ...logs.map(({ log, random }) => writeLogs(log, random)),
      killParts(new Random(seed + 100)),
      cutLines(new Random(seed + 200)),
    ]
    await Promise.all(work).finally(() => {
      clearTimeout(end)
      until.over = true
    })
    const written = new Map(logs.flatMap(({ log }) => [...log.written]))
    const total = [...written.values()].reduce((sum, lines) => sum + lines, 0)
    await allArrived(total).catch((thrown: unknown) =>
      process.stdout.write(`soak: ${String(thrown)}\n${stack.logs()}\n`),
    )
    // What would come twice comes a little later.
    await sleep(3_000)
    const stored = await storedLines(stack.client)
    const faults = Object.fromEntries(
      [...written].map(([name, lines]) => [name, faultsOf(stored.get(name) ?? [], lines)]),
    )
    const rotations = logs.reduce((sum, { log }) => sum + log.rotations, 0)
    const report = { seed, minutes, lines: total, rotations, done, faults }
    process.stdout.write(`soak: ${JSON.stringify({ ...report, faults: undefined })}\n`)
    if (reportFile) writeFileSync(reportFile, JSON.stringify(report))
    expect([...stored.keys()].sort()).toEqual([...written.keys()].sort())
    for (const [name, found] of Object.entries(faults)) {
      const firstOf = Object.values(found).map((numbers) => numbers.slice(0, 20))
      expect(firstOf, `${name}: lost, twice, unordered`).toEqual([[], [], []])
    }
  },
  minutes * 120_000 + 600_000,
)
