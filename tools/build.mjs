// Builds every program into dist/: one bundle a part with esbuild (native packages stay outside), the dashboard's web pages with vite.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { agentBundle } from './agent-bundle.mjs'
import { asciiText } from './ascii-text.mjs'
import { oneLanguage } from './one-language.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const parts = ['search', 'dashboard', 'endpoint-manager', 'agent-server', 'alerter', 'agent', 'operator']
// Small programs of the operator that the container image and podman run.
const programs = ['health', 'secret-driver', 'prepare-part', 'reset-password']
// What runs on the host for a moment: each as a program and a small file that loads it.
const hostPrograms = ['operator', 'prepare-part', 'secret-driver']
const entry = (part) => {
  if (programs.includes(part)) return `apps/operator/src/programs/${part}.ts`
  return part === 'dashboard' ? 'apps/dashboard/server/src/main.ts' : `apps/${part}/src/main.ts`
}

const scripts = {
  format: 'esm',
  sourcemap: true,
  sourcesContent: false,
  // Some CommonJS packages call require() for node's own modules.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
  },
}

const servers = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  external: ['chdb', 'lmdb', '@node-rs/argon2'],
  plugins: [oneLanguage, asciiText],
  logLevel: 'warning',
}

/** `dist/NAME.cjs` and its loader `dist/NAME.mjs` (apps/operator/src/programs/load-program.ts). */
async function buildHostProgram(name) {
  const { outputFiles } = await build({
    ...servers,
    entryPoints: [root + entry(name)],
    outfile: `${root}dist/${name}.cjs`,
    format: 'cjs',
    sourcemap: true,
    sourcesContent: false,
    define: { 'import.meta.url': 'ownAddress' },
    banner: { js: "const ownAddress = require('node:url').pathToFileURL(__filename).href;" },
  })
  const program = outputFiles.find(({ path }) => path.endsWith('.cjs'))
  const hash = createHash('sha256').update(program.contents).digest('hex').slice(0, 12)
  for (const old of readdirSync(`${root}dist`).filter(
    (file) => file.startsWith(`${name}.`) && file.includes('.compiled'),
  ))
    rmSync(`${root}dist/${old}`)
  await build({
    entryPoints: [`${root}apps/operator/src/programs/load-program.ts`],
    outfile: `${root}dist/${name}.mjs`,
    format: 'esm',
    platform: 'node',
    define: { programName: JSON.stringify(name), programHash: JSON.stringify(hash) },
    logLevel: 'warning',
  })
}

export async function buildServers({ only = [...parts, ...programs] } = {}) {
  // The image takes it along, with executables of the agent (tools/agent-executables.mjs) or without.
  mkdirSync(`${root}dist/agents`, { recursive: true })
  if (!existsSync(`${root}dist/agents/agents.json`)) writeFileSync(`${root}dist/agents/agents.json`, '{}\n')
  const entryPoints = Object.fromEntries(
    only
      .filter((part) => part !== 'agent' && !hostPrograms.includes(part) && existsSync(root + entry(part)))
      .map((part) => [part, root + entry(part)]),
  )
  await build({ ...servers, ...scripts, entryPoints, outdir: `${root}dist`, outExtension: { '.js': '.mjs' } })
  await Promise.all(hostPrograms.filter((part) => only.includes(part)).map(buildHostProgram))
  if (only.includes('agent')) await build({ ...agentBundle, ...scripts, outfile: `${root}dist/agent.mjs` })
}

export async function buildWeb() {
  const web = `${root}apps/dashboard/web`
  if (!existsSync(`${web}/vite.config.ts`)) return
  const vite = await import('vite')
  // A test's own NODE_ENV would make it the libraries' programs for developers: half as large again, and slower.
  process.env.NODE_ENV = 'production'
  await vite.build({ root: web, configFile: `${web}/vite.config.ts`, logLevel: 'warn' })
}

if (fileURLToPath(import.meta.url) === realpathSync(process.argv[1] ?? '.')) {
  const only = process.argv.slice(2)
  const servers = only.filter((name) => name !== 'web')
  if (only.length === 0) await Promise.all([buildServers(), buildWeb()])
  if (servers.length > 0) await buildServers({ only: servers })
  if (only.includes('web')) await buildWeb()
}
