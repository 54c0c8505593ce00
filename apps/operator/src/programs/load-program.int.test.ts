import { execFileSync } from 'node:child_process'
import {
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { beforeEach, expect, it, onTestFinished } from 'vitest'

const source = fileURLToPath(new URL('load-program.ts', import.meta.url))
const program =
  "const { basename } = require('node:path'); console.log(basename(__filename), process.argv.slice(2).join(' ')); process.exitCode = 3"
let folder: string

beforeEach(async () => {
  const made = mkdtempSync(join(tmpdir(), 'load-program-'))
  onTestFinished(() => rmSync(made, { recursive: true }))
  folder = made
  writeFileSync(join(folder, 'small.cjs'), program)
  await load('one')
})

/** Builds the loader as tools/build.mjs does. */
async function load(hash: string): Promise<void> {
  const define = { programName: '"small"', programHash: JSON.stringify(hash) }
  await build({ entryPoints: [source], outfile: join(folder, 'small.mjs'), format: 'esm', platform: 'node', define })
}

function run(): string {
  try {
    return execFileSync(process.execPath, [join(folder, 'small.mjs'), 'a', 'b'], { encoding: 'utf8' })
  } catch (thrown) {
    const { status, stdout } = thrown as { status: number; stdout: string }
    return `${stdout}${status}`
  }
}

const kept = (): string[] => readdirSync(folder).filter((name) => name.includes('.compiled'))
const said = 'small.cjs a b\n3'

it('runs the program, keeps what was made of it, and runs that', () => {
  expect(run()).toBe(said)
  const [file, ...others] = kept()
  expect([file, others]).toEqual([expect.stringMatching(/^small\.one-.*\.compiled$/), []])
  const { ino } = statSync(join(folder, file ?? ''))
  expect(run()).toBe(said)
  expect(kept()).toEqual([file])
  expect(statSync(join(folder, file ?? '')).ino).toBe(ino)
})

it('makes it anew where it is cut off or of something else', () => {
  run()
  const file = join(folder, kept()[0] ?? '')
  const whole = readFileSync(file)
  truncateSync(file, 100)
  expect(run()).toBe(said)
  expect(statSync(file).size).toBe(whole.length)
  writeFileSync(file, 'something else')
  expect(run()).toBe(said)
  expect(statSync(file).size).toBe(whole.length)
})

it('does not run what was made of another text', async () => {
  run()
  await load('two')
  writeFileSync(join(folder, 'small.cjs'), program.replace("' '", "'-'"))
  expect(run()).toBe('small.cjs a-b\n3')
})

it.skipIf(process.geteuid?.() !== 0)('leaves nothing in a folder of somebody else', () => {
  chownSync(folder, 12_345, 12_345)
  expect(run()).toBe(said)
  expect(kept()).toEqual([])
})
