import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createLogger } from '@logstack/logging'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createChdbEngine } from '../engine/chdb.ts'
import { createCatalogue } from '../indices/lmdb-catalogue.ts'
import { ident, num, sql } from '../sql/sql.ts'
import { createStore } from '../store/lmdb-store.ts'
import type { CrashIntent, CrashLine } from './crash.child.ts'
import { createDocuments } from './group-commit.ts'
import { visibleSql } from './visibility.ts'

const kills = Number(process.env['LOGSTACK_KILLS'] ?? 20)
const seed = Number(process.env['LOGSTACK_SEED'] ?? 1)
/** Where the full run leaves its figures for `docs/reliability.md`. */
const reportFile = process.env['LOGSTACK_CRASH_REPORT']
const lifeMsMax = 1_000
const directory = mkdtempSync(join(tmpdir(), 'logstack-crash-'))
const root = fileURLToPath(new URL('../../../..', import.meta.url))
// Beside the packages that stay outside of it.
const program = join(root, `node_modules/.cache/crash-child-${process.pid}.mjs`)
beforeAll(async () => {
  await build({
    entryPoints: [fileURLToPath(new URL('./crash.child.ts', import.meta.url))],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    external: ['chdb', 'lmdb'],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
    },
  })
})
afterAll(() => {
  rmSync(directory, { recursive: true, force: true })
  rmSync(program, { force: true })
})

/** What the clients were told, and what may or may not have happened when the process died. */
class Model {
  readonly keys = new Map<string, number>()
  /** The index each document with an automatic id is in. */
  readonly unique = new Map<string, string>()
  readonly open = new Map<number, CrashIntent>()
  acknowledged = 0
  dropped = 0

  read(line: CrashLine): void {
    if ('intent' in line) this.open.set(line.intent.client, line.intent)
    if ('ack' in line) this.#acknowledge(line.ack)
  }

  #acknowledge(client: number): void {
    const intent = this.open.get(client)
    if (intent === undefined) throw new Error('BUG: an acknowledgement without an intent')
    this.open.delete(client)
    this.acknowledged += Object.keys(intent.keys).length + Object.keys(intent.unique).length
    for (const [unique, index] of Object.entries(intent.unique)) this.unique.set(unique, index)
    if (intent.dropped !== undefined) {
      this.dropped += 1
      for (const [unique, index] of this.unique) if (index === intent.dropped) this.unique.delete(unique)
    }
    for (const [key, value] of Object.entries(intent.keys)) {
      if (value === null) this.keys.delete(key)
      else this.keys.set(key, value)
    }
  }

  /** Everything that is wrong with what is there; what was under way is taken over as it was found. */
  faults(keys: ReadonlyMap<string, number>, unique: ReadonlyMap<string, string>): string[] {
    const faults: string[] = []
    const pending = new Map([...this.open.values()].flatMap((intent) => Object.entries(intent.keys)))
    const maybe = new Set([...this.open.values()].flatMap((intent) => Object.keys(intent.unique)))
    const maybeDropped = new Set([...this.open.values()].map(({ dropped }) => dropped))
    for (const key of new Set([...keys.keys(), ...this.keys.keys()])) {
      const found = keys.get(key)
      const fine = found === this.keys.get(key) || (pending.has(key) && (pending.get(key) ?? undefined) === found)
      if (!fine)
        faults.push(`[${key}] is ${found}, acknowledged was ${this.keys.get(key)}, under way ${pending.get(key)}`)
    }
    for (const [one, index] of this.unique)
      if (!unique.has(one) && !maybeDropped.has(index)) faults.push(`[${one}] of [${index}] is lost`)
    for (const [one, index] of unique)
      if (!this.unique.has(one) && !maybe.has(one)) faults.push(`[${one}] of [${index}] was never written, or deleted`)
    this.keys.clear()
    for (const [key, value] of keys) this.keys.set(key, value)
    this.unique.clear()
    for (const [one, index] of unique) this.unique.set(one, index)
    this.open.clear()
    return faults
  }
}

/** Lets the child write for a while after it is ready, then kills it without warning. */
async function writeAndKill(run: number, model: Model): Promise<string> {
  const child = spawn(process.execPath, [program, directory, String(run), String(seed)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  let complaints = ''
  child.stderr.on('data', (data: Buffer) => {
    complaints += String(data)
  })
  let timer: NodeJS.Timeout | undefined
  for await (const text of createInterface({ input: child.stdout })) {
    // The kill may cut the last line.
    if (!text.endsWith('}')) continue
    const line = JSON.parse(text) as CrashLine
    // Most runs live until something was acknowledged; some die while the first writes are under way.
    if (run % 4 === 0 ? 'ready' in line : 'ack' in line)
      timer ??= setTimeout(() => child.kill('SIGKILL'), Math.random() * lifeMsMax)
    model.read(line)
  }
  clearTimeout(timer)
  await ended
  return child.signalCode === 'SIGKILL' ? '' : complaints || 'the child ended by itself'
}

async function readBack(model: Model): Promise<string[]> {
  const logger = createLogger('crash', 'silent')
  const engine = await createChdbEngine({ directory: join(directory, 'engine') })
  const store = createStore(join(directory, 'catalogue'))
  const catalogue = await createCatalogue({ store, engine, now: Date.now, logger })
  const options = { engine, store, catalogue, logger, directory: join(directory, 'segments'), now: Date.now }
  const documents = await createDocuments(options)
  try {
    const rows: unknown[][] = []
    const names = new Map<unknown, string>()
    for (const index of catalogue.indices()) {
      const visible = visibleSql(documents.visibility(index.table))
      const table = ident(catalogue.table(index.table).name)
      const own = sql`_index = ${num(index.id)}`
      names.set(index.id, index.name)
      rows.push(
        ...(await engine.rows(sql`SELECT _id, _index, _seq_no, _source FROM ${table} WHERE ${own} AND ${visible}`)),
      )
    }
    const keys = new Map<string, number>()
    const unique = new Map<string, string>()
    const faults: string[] = []
    const seen = new Set<string>()
    for (const [id, index, seqNo, source] of rows) {
      for (const name of [`id ${index} ${id}`, `seq_no ${index} ${seqNo}`]) {
        if (seen.has(name)) faults.push(`[${name}] is there twice`)
        seen.add(name)
      }
      const { k, v, u } = JSON.parse(String(source)) as { k?: string; v?: number; u?: string }
      if (u !== undefined && unique.has(u)) faults.push(`[${u}] is there twice`)
      if (u !== undefined) unique.set(u, names.get(index) ?? '')
      if (k !== undefined && v !== undefined) keys.set(k, v)
    }
    return [...faults, ...model.faults(keys, unique)]
  } finally {
    await documents.close()
    await store.close()
    await engine.close()
  }
}

it(
  `has every acknowledged write exactly once after ${kills} kills at random moments`,
  async () => {
    const model = new Model()
    for (let run = 1; run <= kills; run += 1) {
      expect(await writeAndKill(run, model)).toBe('')
      expect(await readBack(model)).toEqual([])
    }
    expect(model.acknowledged).toBeGreaterThan(0)
    const { acknowledged, dropped } = model
    if (reportFile !== undefined) writeFileSync(reportFile, JSON.stringify({ seed, kills, acknowledged, dropped }))
  },
  120_000 + kills * 60_000,
)
