import { join } from 'node:path'
import { cutDisk, runUntilCut, type TempDir, tempDir } from '@logstack/testkit'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'

const cuts = Number(process.env['LOGSTACK_POWER_CUTS'] ?? 5)
const lifeMsMax = 400
const disk = cutDisk()
let temporary: TempDir
beforeAll(() => {
  temporary = tempDir('logstack-journal-cut')
})
afterAll(() => {
  disk.remove()
  temporary.remove()
})

interface Told {
  readonly known?: readonly string[]
  readonly number?: number
  readonly sent?: readonly string[]
  readonly forgetting?: readonly string[]
}

/** What a receiver got and search does not know yet. */
class Receiver {
  unknown = new Set<string>()
  readonly faults: string[] = []
  last = 0

  hear({ known, number, sent, forgetting }: Told, isAfterCut: boolean): void {
    if (known) {
      for (const id of known) this.unknown.delete(id)
      this.faults.push(...[...this.unknown].map((id) => `${id} would be sent twice`))
      this.unknown.clear()
    }
    if (!isAfterCut) for (const id of sent ?? []) this.unknown.add(id)
    for (const id of forgetting ?? []) this.unknown.delete(id)
    this.last = number ?? this.last
  }
}

/** Lets alerts be sent for a while, then cuts the power and kills the program. */
function sendUntilCut(program: string, receiver: Receiver): Promise<void> {
  const argv = [program, join(disk.path, 'sent.journal'), String(receiver.last + 1), ...receiver.unknown]
  return runUntilCut(disk, {
    command: [process.execPath, ...argv],
    lifeMsMax,
    hear: (told, isAfterCut) => receiver.hear(told as Told, isAfterCut),
  })
}

it.skipIf(!disk.isPossible)(
  `knows what was sent after the power was cut ${cuts} times (needs root and loop devices)`,
  async () => {
    const program = join(temporary.path, 'child.mjs')
    await build({
      entryPoints: [new URL('power-cut.child.ts', import.meta.url).pathname],
      outfile: program,
      bundle: true,
      platform: 'node',
      format: 'esm',
    })
    const receiver = new Receiver()
    for (let run = 1; run <= cuts; run += 1) await sendUntilCut(program, receiver)
    expect(receiver.faults).toEqual([])
    expect(receiver.last).toBeGreaterThan(0)
  },
  60_000 + cuts * 10_000,
)
