// `npm test`: sets the checkout up, runs every kind of test, and ends with one line: `N passed, N failed[, N skipped]`.
// `npm test -- unit int` runs only the kinds named; with `--built` the checkout is taken as it is: set up and built by who asks.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { buildAll, installPackages } from './setup.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

// Each kind is a vitest project in a process of its own, so that a crash or a hang of one is counted and the others still run.
const kinds = [
  { name: 'tidy', limitMs: 10 * 60_000 },
  { name: 'unit', limitMs: 15 * 60_000 },
  { name: 'int', limitMs: 25 * 60_000 },
  { name: 'e2e', limitMs: 25 * 60_000 },
  { name: 'host', limitMs: 45 * 60_000, onlyWhenAsked: true },
]

function runKind({ name, limitMs }, resultFile) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--project', name], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, LOGSTACK_TEST_RESULT: resultFile },
      detached: true,
    })
    const endGroup = () => {
      try {
        process.kill(-child.pid, 'SIGKILL')
      } catch (thrown) {
        if (thrown.code !== 'ESRCH') throw thrown
      }
    }
    let problem
    const timer = setTimeout(() => {
      problem = `not done after ${limitMs / 1000} s`
      endGroup()
    }, limitMs)
    const interrupt = () => {
      endGroup()
      process.exit(130)
    }
    const terminate = () => {
      problem = 'told to end'
      outOfTime = true
      endGroup()
    }
    process.once('SIGINT', interrupt).once('SIGTERM', terminate)
    child.on('error', (thrown) => {
      problem = thrown.message
    })
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      process.off('SIGINT', interrupt).off('SIGTERM', terminate)
      endGroup() // whatever the tests left behind
      resolve({ code, problem: problem ?? (signal ? `ended by ${signal}` : undefined) })
    })
  })
}

function readTotals(file, { code, problem }) {
  const totals = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { passed: 0, failed: 0, failures: [], skipped: [] }
  const ran = totals.passed + totals.failed > 0
  const reason = problem ?? (ran ? undefined : 'no tests ran')
  if (totals.failed === 0 && (code !== 0 || reason))
    return { ...totals, failed: 1, problem: reason ?? `exit code ${code}` }
  return { ...totals, problem: reason }
}

const { values: options, positionals: asked } = parseArgs({
  options: { built: { type: 'boolean' } },
  allowPositionals: true,
})
const unknown = asked.filter((name) => !kinds.some((kind) => kind.name === name))
if (unknown.length > 0) {
  console.error(`unknown kind of test: ${unknown.join(', ')}; there are ${kinds.map((kind) => kind.name).join(', ')}`)
  process.exit(2)
}

const sum = { passed: 0, failed: 0, skipped: 0 }
// After SIGTERM (the time limit of CI) nothing more is started, and what did not run counts as failed.
let outOfTime = false
const notes = []
try {
  if (!options.built) {
    installPackages()
    buildAll()
  }
} catch (thrown) {
  notes.push(`failed: set-up: ${thrown.message}`)
  sum.failed += 1
}
const resultDir = mkdtempSync(join(tmpdir(), 'logstack-test-'))
const wanted = kinds.filter(({ name, onlyWhenAsked }) => (asked.length === 0 ? !onlyWhenAsked : asked.includes(name)))
for (const kind of sum.failed > 0 ? [] : wanted) {
  if (outOfTime) {
    sum.failed += 1
    notes.push(`failed: ${kind.name}: no time left`)
    continue
  }
  console.log(`\n== ${kind.name}`)
  const file = join(resultDir, `${kind.name}.json`)
  const totals = readTotals(file, await runKind(kind, file))
  sum.passed += totals.passed
  sum.failed += totals.failed
  sum.skipped += totals.skipped.length
  if (totals.problem) notes.push(`failed: ${kind.name}: ${totals.problem}`)
  for (const { name, message } of totals.failures) notes.push(`failed: ${name}\n${message.replace(/^/gm, '    ')}`)
  for (const { name, reason } of totals.skipped) notes.push(`skipped: ${name} (${reason})`)
}
rmSync(resultDir, { recursive: true, force: true })

console.log('')
for (const note of notes) console.log(note)
console.log(`${sum.passed} passed, ${sum.failed} failed${sum.skipped > 0 ? `, ${sum.skipped} skipped` : ''}`)
process.exitCode = sum.failed === 0 ? 0 : 1
