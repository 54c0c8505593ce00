import { join } from 'node:path'
import { cutDisk, runUntilCut, type TempDir, tempDir } from '@logstack/testkit'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'

const cuts = Number(process.env['LOGSTACK_POWER_CUTS'] ?? 5)
const lifeMsMax = 400
const modules = new URL('../../../../node_modules', import.meta.url).pathname
const disk = cutDisk()
let temporary: TempDir
beforeAll(() => {
  temporary = tempDir('logstack-vault-cut')
})
afterAll(() => {
  disk.remove()
  temporary.remove()
})

type Values = Readonly<Record<string, string>>

interface Told {
  readonly found?: Values
  readonly staged?: Values
  readonly noted?: string
  readonly kept?: string
  readonly value?: string
}

/** What somebody outside knows to be on the disk. */
class Known {
  readonly #kept = new Map<string, number>()
  readonly #noted = new Map<string, number>()
  readonly #found = new Map<string, number>()
  readonly faults: string[] = []
  last = 0

  hear(told: Told, isAfterCut: boolean): void {
    if (told.noted && !isAfterCut) this.#noted.set(told.noted, Number(told.value))
    if (told.kept && !isAfterCut) this.#kept.set(told.kept, Number(told.value))
    this.last = Math.max(this.last, Number(told.value ?? 0))
    if (told.found) for (const [name, value] of Object.entries(told.found)) this.#found.set(name, Number(value))
    if (told.staged) this.#check(told.staged)
  }

  #check(staged: Values): void {
    for (const [name, value] of this.#kept)
      if ((this.#found.get(name) ?? -1) < value)
        this.faults.push(`${name} is ${this.#found.get(name)}, it was ${value}`)
    for (const [name, value] of this.#noted) {
      const there = Math.max(this.#found.get(name) ?? -1, Number(staged[name] ?? -1))
      if (there < value) this.faults.push(`the note of ${name} is gone: ${value}, there is ${there}`)
    }
    this.#found.clear()
  }
}

/** Lets passwords be changed for a while, then cuts the power and kills the program. */
function changeUntilCut(program: string, known: Known): Promise<void> {
  return runUntilCut(disk, {
    command: [process.execPath, program, disk.path, String(known.last + 1)],
    env: { NODE_PATH: modules },
    lifeMsMax,
    hear: (told, isAfterCut) => known.hear(told as Told, isAfterCut),
  })
}

it.skipIf(!disk.isPossible)(
  `has every secret, and every note of one to come, after the power was cut ${cuts} times (needs root and loop devices)`,
  async () => {
    const program = join(temporary.path, 'child.cjs')
    await build({
      entryPoints: [new URL('power-cut.child.ts', import.meta.url).pathname],
      outfile: program,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      external: ['@node-rs/argon2'],
    })
    const known = new Known()
    for (let run = 1; run <= cuts; run += 1) await changeUntilCut(program, known)
    expect(known.faults).toEqual([])
    expect(known.last).toBeGreaterThan(0)
  },
  60_000 + cuts * 10_000,
)
