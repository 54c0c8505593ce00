// Builds every program into dist/: one bundle a part with esbuild (native packages stay outside), the dashboard's web pages with vite.
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { agentBundle } from './agent-bundle.mjs'
import { oneLanguage } from './one-language.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const parts = ['search', 'dashboard', 'endpoint-manager', 'agent-server', 'alerter', 'agent', 'operator']
// Small programs of the operator that the container image and podman run.
const programs = ['health', 'secret-driver', 'prepare-part', 'reset-password']
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

export async function buildServers({ only = [...parts, ...programs] } = {}) {
  // The image takes it along, with executables of the agent (tools/agent-executables.mjs) or without.
  mkdirSync(`${root}dist/agents`, { recursive: true })
  if (!existsSync(`${root}dist/agents/agents.json`)) writeFileSync(`${root}dist/agents/agents.json`, '{}\n')
  const entryPoints = Object.fromEntries(
    only.filter((part) => part !== 'agent' && existsSync(root + entry(part))).map((part) => [part, root + entry(part)]),
  )
  await build({
    ...scripts,
    entryPoints,
    outdir: `${root}dist`,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    external: ['chdb', 'lmdb', '@node-rs/argon2'],
    plugins: [oneLanguage],
    logLevel: 'warning',
  })
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
