import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createLogger } from '@logstack/logging'
import { afterAll, expect, it } from 'vitest'
import { createChdbEngine } from '../engine/chdb.ts'
import { createCatalogue } from '../indices/lmdb-catalogue.ts'
import { createStore } from '../indices/lmdb-store.ts'
import { ident, sql } from '../sql/sql.ts'
import type { CrashIntent, CrashLine } from './crash.child.ts'
import { createDocuments } from './group-commit.ts'
import { visibleSql } from './visibility.ts'

const kills = Number(process.env['LOGSTACK_KILLS'] ?? 3)
const directory = mkdtempSync(join(tmpdir(), 'logstack-crash-'))
const root = fileURLToPath(new URL('../../../..', import.meta.url))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** What the clients were told, and what may or may not have happened when the process died. */
class Model {
  readonly keys = new Map<string, number>()
  readonly unique = new Set<string>()
  readonly open = new Map<number, CrashIntent>()
  acknowledged = 0

  read(line: CrashLine): void {
    if ('intent' in line) this.open.set(line.intent.client, line.intent)
    if ('ack' in line) this.#acknowledge(line.ack)
  }

  #acknowledge(client: number): void {
    const intent = this.open.get(client)
    if (intent === undefined) throw new Error('BUG: an acknowledgement without an intent')
    this.open.delete(client)
    this.acknowledged += Object.keys(intent.keys).length + intent.unique.length
    for (const unique of intent.unique) this.unique.add(unique)
    for (const [key, value] of Object.entries(intent.keys)) {
      if (value === null) this.keys.delete(key)
      else this.keys.set(key, value)
    }
  }

  /** Everything that is wrong with what is there; what was under way is taken over as it was found. */
  faults(keys: ReadonlyMap<string, number>, unique: ReadonlySet<string>): string[] {
    const faults: string[] = []
    const pending = new Map([...this.open.values()].flatMap((intent) => Object.entries(intent.keys)))
    const maybe = new Set([...this.open.values()].flatMap((intent) => intent.unique))
    for (const key of new Set([...keys.keys(), ...this.keys.keys()])) {
      const found = keys.get(key)
      const fine = found === this.keys.get(key) || (pending.has(key) && (pending.get(key) ?? undefined) === found)
      if (!fine)
        faults.push(`[${key}] is ${found}, acknowledged was ${this.keys.get(key)}, under way ${pending.get(key)}`)
    }
    for (const one of this.unique) if (!unique.has(one)) faults.push(`[${one}] is lost`)
    for (const one of unique) if (!this.unique.has(one) && !maybe.has(one)) faults.push(`[${one}] was never written`)
    this.keys.clear()
    for (const [key, value] of keys) this.keys.set(key, value)
    for (const one of unique) this.unique.add(one)
    this.open.clear()
    return faults
  }
}

/** Lets the child write for a while after it is ready, then kills it without warning. */
async function writeAndKill(run: number, model: Model): Promise<string> {
  const child = spawn(
    process.execPath,
    [
      join(root, 'tools/run-ts.mjs'),
      fileURLToPath(new URL('./crash.child.ts', import.meta.url)),
      directory,
      String(run),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
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
      timer ??= setTimeout(() => child.kill('SIGKILL'), Math.random() * 1_500)
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
    for (const index of catalogue.indices()) {
      const visible = visibleSql(documents.visibility(index.table))
      const table = ident(catalogue.table(index.table).name)
      rows.push(...(await engine.rows(sql`SELECT _id, _index, _seq_no, _source FROM ${table} WHERE ${visible}`)))
    }
    const keys = new Map<string, number>()
    const unique = new Set<string>()
    const faults: string[] = []
    const seen = new Set<string>()
    for (const [id, index, seqNo, source] of rows) {
      for (const name of [`id ${index} ${id}`, `seq_no ${index} ${seqNo}`]) {
        if (seen.has(name)) faults.push(`[${name}] is there twice`)
        seen.add(name)
      }
      const { k, v, u } = JSON.parse(String(source)) as { k?: string; v?: number; u?: string }
      if (u !== undefined && unique.has(u)) faults.push(`[${u}] is there twice`)
      if (u !== undefined) unique.add(u)
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
  },
  60_000 + kills * 20_000,
)
