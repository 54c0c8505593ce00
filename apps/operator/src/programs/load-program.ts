import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'

// Starts a program of the host: `dist/NAME.mjs` is this file, `dist/NAME.cjs` the program. They run for a moment, many times a day, and to read
// their text takes Node.js longer than most of them work. What it made of the text is kept beside it: one file for each text, version and kind of
// processor, written by the first run that may. It is as trusted as the text: who can change the one can change the other.

/** The name of the program and the hash of its text, put in by the build. */
declare const programName: string
declare const programHash: string

const nodeMin = { major: 20, minor: 19 } as const
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < nodeMin.major || (major === nodeMin.major && minor < nodeMin.minor)) {
  process.stderr.write(
    `logstack: Node.js ${process.version} is too old\n  fix: install Node.js ${nodeMin.major}.${nodeMin.minor} or newer, from your distribution or https://nodejs.org\n`,
  )
  process.exit(1)
}

const file = fileURLToPath(new URL(`./${programName}.cjs`, import.meta.url))
const kept = `${file.slice(0, -'.cjs'.length)}.${programHash}-${process.versions.v8}-${process.arch}.compiled`
const script = compile()
const module = { exports: {} }
script.runInThisContext()(module.exports, createRequire(import.meta.url), module, file, dirname(file))

function compile(): Script {
  const text = `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'utf8')}\n})`
  const cachedData = readKept()
  const compiled = new Script(text, { filename: file, ...(cachedData ? { cachedData } : {}) })
  // At the end: by then it holds what the program needed, not only what stands outside of functions.
  if (cachedData === undefined || compiled.cachedDataRejected) process.once('exit', () => keep(compiled))
  return compiled
}

function readKept(): Buffer | undefined {
  try {
    return readFileSync(kept)
  } catch {
    return undefined
  }
}

/** Nobody leaves a file in a folder of somebody else, as root would in a user's checkout. Not kept, the next run takes as long as this one. */
function keep(compiled: Script): void {
  const part = `${kept}.${process.pid}`
  try {
    if (statSync(dirname(file)).uid !== process.geteuid?.()) return
    const opened = openSync(part, 'wx', 0o644)
    writeFileSync(opened, compiled.createCachedData())
    // After a loss of power it is whole or not there.
    fsyncSync(opened)
    closeSync(opened)
    renameSync(part, kept)
  } catch {
    rmSync(part, { force: true })
  }
}
