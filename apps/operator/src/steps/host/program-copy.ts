import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError, operatorErrors } from '@logstack/errors'
import { host } from '../../places/host.ts'
import { letAllRead } from '../../places/let-all-read.ts'
import { writeFileAtomically } from '../../places/write-file.ts'
import { unproven } from '../../telling/unproven.ts'
import { defineStep, findingOf } from '../define-step.ts'
import { packagesNeeded } from './packages-needed.ts'

/** What of a checkout an installation needs, beside the packages its programs load. */
const copied = [
  'logstack',
  'install.sh',
  'deploy.sh',
  'Containerfile',
  'LICENSE',
  'package.json',
  'dist',
  'quadlet',
  'config',
  'rules',
  'dashboards',
  'scripts',
]

/** Programs that lie outside the bundles. */
const nativePackages = ['chdb', 'lmdb', '@node-rs/argon2']

/** Files above this (the engine's library) are told apart by their size: their package's version stands in a small file beside them. */
const hashedBytesMax = 16 * 1024 * 1024

/** Root's own copy of the programs, which the installed command runs from: a clone that is changed or deleted changes nothing. */
export const programCopy = defineStep({
  name: 'program-copy',
  title: 'programs',
  async diagnose({ paths }) {
    if (paths.programDir === host.programDir) return { done: true }
    checkBuilt(paths.programDir)
    const done = digestOfCopy() === programsDigest(paths.programDir)
    return findingOf(done ? [] : [`copy the programs to ${host.programDir}`])
  },
  async apply({ paths }) {
    const next = `${host.programDir}.new`
    rmSync(next, { recursive: true, force: true })
    try {
      copyPrograms(paths.programDir, next)
    } catch (thrown) {
      // Half of the programs would keep the disk full that had no room for all.
      rmSync(next, { recursive: true, force: true })
      throw thrown
    }
    const old = `${host.programDir}.old`
    rmSync(old, { recursive: true, force: true })
    if (existsSync(host.programDir)) renameSync(host.programDir, old)
    renameSync(next, host.programDir)
    rmSync(old, { recursive: true, force: true })
  },
  async prove({ paths }) {
    if (programsDigest(host.programDir) !== programsDigest(paths.programDir)) {
      throw unproven(`${host.programDir} is no copy of ${paths.programDir}`, 'run the installation again')
    }
  },
})

function copyPrograms(from: string, to: string): void {
  for (const name of namesIn(from)) {
    mkdirSync(dirname(join(to, name)), { recursive: true })
    cpSync(join(from, name), join(to, name), { recursive: true, dereference: true })
  }
  letAllRead(to)
  writeFileAtomically(join(to, digestFile), `${programsDigest(from)}\n`)
}

const digestFile = '.programs-digest'

/** The digest that the copy will have once the programs of a folder are installed. */
export function digestToCome(programDir: string): string | undefined {
  return programDir === host.programDir ? digestOfCopy() : programsDigest(programDir)
}

/** The digest of the installed programs; undefined when there are none. */
export function digestOfCopy(): string | undefined {
  const file = join(host.programDir, digestFile)
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
}

function checkBuilt(programDir: string): void {
  if (existsSync(join(programDir, 'dist/secret-driver.mjs'))) return
  throw new AppError(operatorErrors.option_invalid, `the programs in ${programDir} are not built`, {
    fix: 'node tools/setup.mjs',
  })
}

function namesIn(programDir: string): string[] {
  const packages = packagesNeeded(join(programDir, 'node_modules'), nativePackages)
  return [
    ...copied.filter((name) => existsSync(join(programDir, name))),
    ...packages.map((name) => join('node_modules', name)),
  ]
}

function programsDigest(programDir: string): string {
  const digest = createHash('sha256')
  for (const name of namesIn(programDir)) {
    for (const file of filesOf(programDir, name)) {
      const { size } = statSync(join(programDir, file))
      digest.update(`${file}\0${size}\0`)
      if (size <= hashedBytesMax) digest.update(readFileSync(join(programDir, file)))
    }
  }
  return digest.digest('hex')
}

function filesOf(dir: string, name: string): string[] {
  if (statSync(join(dir, name)).isFile()) return [name]
  return (
    readdirSync(join(dir, name), { recursive: true, encoding: 'utf8' })
      .map((entry) => join(name, entry))
      // The mark of the build says when, not what; what Node.js made of a program is not the program (programs/load-program.ts).
      .filter((file) => !/\/\.built$|\.compiled[.\d]*$/.test(file) && statSync(join(dir, file)).isFile())
      .sort()
  )
}
