import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildProgram, Model, writeUntil } from './crash.fixture.ts'
import { readBack } from './crash-read-back.fixture.ts'

const kills = Number(process.env['LOGSTACK_KILLS'] ?? 20)
const seed = Number(process.env['LOGSTACK_SEED'] ?? 1)
/** Where the full run leaves its figures for `docs/reliability.md`. */
const reportFile = process.env['LOGSTACK_CRASH_REPORT']
const directory = mkdtempSync(join(tmpdir(), 'logstack-crash-'))
let writer: Awaited<ReturnType<typeof buildProgram>>
beforeAll(async () => {
  writer = await buildProgram(new URL('./crash.child.ts', import.meta.url))
})
afterAll(() => {
  rmSync(directory, { recursive: true, force: true })
  writer.remove()
})

it(
  `has every acknowledged write exactly once after ${kills} kills at random moments`,
  async () => {
    const model = new Model()
    for (let run = 1; run <= kills; run += 1) {
      const argv = [writer.path, directory, String(run), String(seed)]
      const complaints = await writeUntil([process.execPath, argv], run, model, (child) => child.kill('SIGKILL'))
      expect(complaints).toBe('')
      expect(model.faults(await readBack(directory))).toEqual([])
    }
    expect(model.acknowledged).toBeGreaterThan(0)
    const { acknowledged, dropped } = model
    if (reportFile !== undefined) writeFileSync(reportFile, JSON.stringify({ seed, kills, acknowledged, dropped }))
  },
  120_000 + kills * 60_000,
)
