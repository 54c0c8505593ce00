import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cutDisk } from '@logstack/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildProgram, type FoundDocuments, Model, writeUntil } from './crash.fixture.ts'

const cuts = Number(process.env['LOGSTACK_POWER_CUTS'] ?? 5)
const seed = Number(process.env['LOGSTACK_SEED'] ?? 1)
/** Where the full run leaves its figures for `docs/reliability.md`. */
const reportFile = process.env['LOGSTACK_CRASH_REPORT']
const disk = cutDisk()
type Program = Awaited<ReturnType<typeof buildProgram>>
let writer: Program
let reader: Program
beforeAll(async () => {
  writer = await buildProgram(new URL('./crash.child.ts', import.meta.url))
  reader = await buildProgram(new URL('./crash-reader.child.ts', import.meta.url))
})
afterAll(() => {
  disk.remove()
  writer.remove()
  reader.remove()
})

/** What is on the disk, as search finds it at its start. */
function readDisk(): FoundDocuments {
  const [command, argv] = disk.command([process.execPath, reader.path, disk.path])
  const { stdout, stderr } = spawnSync(command, argv, { encoding: 'utf8', maxBuffer: 256 * 1024 ** 2 })
  expect(stdout, stderr).toMatch(/^\{.*\}$/)
  return JSON.parse(stdout) as FoundDocuments
}

it.skipIf(!disk.isPossible)(
  `has every acknowledged write exactly once after the power was cut ${cuts} times at random moments (needs root and loop devices)`,
  async () => {
    const model = new Model()
    for (let run = 1; run <= cuts; run += 1) {
      await disk.released()
      const command = disk.command([process.execPath, writer.path, disk.path, String(run), String(seed)])
      const complaints = await writeUntil(command, run, model, (child) => {
        disk.cut(child.pid ?? 0)
        child.kill('SIGKILL')
      })
      expect(complaints).toBe('')
      await disk.released()
      expect(model.faults(readDisk())).toEqual([])
    }
    expect(model.acknowledged).toBeGreaterThan(0)
    const { acknowledged, dropped } = model
    if (reportFile !== undefined) writeFileSync(reportFile, JSON.stringify({ seed, cuts, acknowledged, dropped }))
  },
  120_000 + cuts * 60_000,
)
