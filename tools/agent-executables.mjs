// Builds the agent as one file for hosts without Node.js, into dist/agents: the runtime of a pinned npm package with the program in it (docs/adr/0038).
// Builds only what is missing or older than the program: node tools/agent-executables.mjs [linux-x64 linux-arm64 windows-x64]
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { arch, platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { agentBundle } from './agent-bundle.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const output = `${root}dist/agents`
const catalogue = `${output}/agents.json`
const downloadLimitMs = 10 * 60_000
const commandLimitMs = 120_000
const { version, options, runtimes } = JSON.parse(readFileSync(`${root}tools/agent-runtimes.json`, 'utf8'))

const hashOf = (bytes, algorithm = 'sha256', encoding = 'hex') => createHash(algorithm).update(bytes).digest(encoding)

function run(command, argv, cwd, limitMs = commandLimitMs) {
  const { status, error, stdout, stderr } = spawnSync(command, argv, { cwd, timeout: limitMs, encoding: 'utf8' })
  if (status === 0) return stdout
  const reason = error?.message ?? stderr.trim().split('\n').slice(-3).join(' ')
  throw new Error(`${command} ${argv.join(' ')} failed: ${reason}`)
}

/** The runtime of a system, from the npm registry or npm's own cache, checked against the hash that is pinned here. */
function fetchRuntime(system, folder) {
  const { name, integrity, file } = runtimes[system]
  const place = join(folder, system)
  mkdirSync(place)
  const options = ['--prefer-offline', '--silent', '--ignore-scripts', '--pack-destination', place]
  const packed = run('npm', ['pack', `${name}@${version}`, ...options], folder, downloadLimitMs)
  const archive = join(place, packed.trim().split('\n').at(-1))
  const found = `sha512-${hashOf(readFileSync(archive), 'sha512', 'base64')}`
  if (found !== integrity) throw new Error(`${name}@${version} is not what tools/agent-runtimes.json pins: ${found}`)
  run('tar', ['-xzf', archive, '-C', place, `package/${file}`], folder)
  rmSync(archive)
  const runtime = join(place, 'package', file)
  chmodSync(runtime, 0o755)
  return runtime
}

/** The agent as one CommonJS text, the only form that an executable's program may have. */
async function bundleAgent() {
  const { outputFiles } = await build({
    ...agentBundle,
    write: false,
    format: 'cjs',
  })
  return outputFiles[0].contents
}

/** Puts the program into a runtime; whatever system that is for, this machine's own runtime does it. */
function inject(tool, runtime, program, folder) {
  const target = `${runtime}.agent`
  const config = join(folder, 'executable.json')
  const files = { main: program, executable: runtime, output: target }
  const choices = { disableExperimentalSEAWarning: true, execArgv: options, useSnapshot: false, useCodeCache: false }
  writeFileSync(config, JSON.stringify({ ...files, ...choices }))
  run(tool, ['--build-sea', config], folder)
  return readFileSync(target)
}

const knownBefore = () => (existsSync(catalogue) ? JSON.parse(readFileSync(catalogue, 'utf8')) : {})

/** Builds the executables of these systems and notes them in `agents.json`, by which agent-server hands them out. */
async function buildExecutables(systems = Object.keys(runtimes)) {
  const program = await bundleAgent()
  const from = hashOf(Buffer.concat([Buffer.from(JSON.stringify({ version, options, runtimes })), program]))
  const isBuilt = (system) =>
    knownBefore()[`logstack-agent-${system}`]?.from === from && existsSync(`${output}/logstack-agent-${system}.gz`)
  const missing = systems.filter((system) => !isBuilt(system))
  if (missing.length === 0) return
  const own = `${platform()}-${arch()}`
  if (!runtimes[own]) throw new Error(`executables are built on ${Object.keys(runtimes).join(' or ')}, not on ${own}`)
  const folder = mkdtempSync(join(tmpdir(), 'logstack-executables-'))
  try {
    writeFileSync(join(folder, 'agent.cjs'), program)
    const tool = fetchRuntime(own, folder)
    for (const system of missing) {
      const runtime = system === own ? tool : fetchRuntime(system, folder)
      const bytes = inject(tool, runtime, join(folder, 'agent.cjs'), folder)
      note(`logstack-agent-${system}`, bytes, from)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function note(name, bytes, from) {
  const packed = gzipSync(bytes, { level: 6 })
  mkdirSync(output, { recursive: true })
  writeFileSync(`${output}/${name}.gz.new`, packed)
  renameSync(`${output}/${name}.gz.new`, `${output}/${name}.gz`)
  const entry = { sha256: hashOf(bytes), bytes: bytes.length, packed_sha256: hashOf(packed), from }
  writeFileSync(`${catalogue}.new`, `${JSON.stringify({ ...knownBefore(), [name]: entry }, null, 2)}\n`)
  renameSync(`${catalogue}.new`, catalogue)
  console.log(`${name}: ${(bytes.length / 1e6).toFixed(1)} MB, ${(packed.length / 1e6).toFixed(1)} MB packed`)
}

const wanted = process.argv.slice(2)
const unknown = wanted.find((system) => !runtimes[system])
if (unknown) throw new Error(`no runtime is pinned for ${unknown}: ${Object.keys(runtimes).join(', ')}`)
await buildExecutables(wanted.length > 0 ? wanted : undefined)
