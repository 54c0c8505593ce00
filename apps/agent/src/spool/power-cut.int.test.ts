import { join } from 'node:path'
import { cutDisk, runUntilCut, type TempDir, tempDir } from '@logstack/testkit'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'

const cuts = Number(process.env['LOGSTACK_POWER_CUTS'] ?? 5)
const lifeMsMax = 400
const disk = cutDisk()
let temporary: TempDir
beforeAll(() => {
  temporary = tempDir('logstack-power-cut')
})
afterAll(() => {
  disk.remove()
  temporary.remove()
})

/** A line of the program: the spool's life, and each record by its offset, as the name of its input and its number. */
interface Handed {
  readonly spool: string
  readonly got: readonly (readonly [offset: number, record: string])[]
}

/** What a server knows of the records it got. */
class Server {
  readonly #records = new Map<string, string>()

  /** The offsets under which other records came before. */
  take({ spool, got }: Handed): string[] {
    return got.flatMap(([offset, record]) => {
      const id = `${spool} ${offset}`
      const before = this.#records.get(id) ?? record
      this.#records.set(id, record)
      return before === record ? [] : [`${id} is ${record} and was ${before}`]
    })
  }

  get received(): number {
    return this.#records.size
  }

  /** The numbers of inputs that are missing below their last one, and those that came under two offsets. */
  faults(): string[] {
    const inputs = new Map<string, number[]>()
    for (const record of this.#records.values()) {
      const [input = '', number] = record.split(' ')
      inputs.set(input, [...(inputs.get(input) ?? []), Number(number)])
    }
    return [...inputs].flatMap(([input, numbers]) =>
      numbers.sort((a, b) => a - b).flatMap((number, at) => (number === at ? [] : [`${input} ${number} at ${at}`])),
    )
  }
}

/** Lets the spool be filled and emptied for a while, then cuts the power and kills the program. Gives what is wrong with what the server got. */
async function deliverUntilCut(program: string, server: Server): Promise<string[]> {
  const faults: string[] = []
  await runUntilCut(disk, {
    command: [process.execPath, program, join(disk.path, 'spool')],
    lifeMsMax,
    hear: (told) => faults.push(...server.take(told as Handed)),
  })
  return faults
}

it.skipIf(!disk.isPossible)(
  `hands out every record once and under one number after the power was cut ${cuts} times (needs root and loop devices)`,
  async () => {
    const program = join(temporary.path, 'child.mjs')
    await build({
      entryPoints: [new URL('power-cut.child.ts', import.meta.url).pathname],
      outfile: program,
      bundle: true,
      platform: 'node',
      format: 'esm',
    })
    const server = new Server()
    const faults: string[] = []
    for (let run = 1; run <= cuts; run += 1) faults.push(...(await deliverUntilCut(program, server)))
    expect(faults).toEqual([])
    expect(server.faults()).toEqual([])
    expect(server.received).toBeGreaterThan(cuts)
  },
  60_000 + cuts * 10_000,
)
