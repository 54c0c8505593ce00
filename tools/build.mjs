// Builds every program into dist/: one bundle a part with esbuild (native packages stay outside), the dashboard's web pages with vite.
import { existsSync, realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const parts = ['search', 'dashboard', 'endpoint-manager', 'agent-server', 'alerter', 'agent', 'operator']
// Small programs of the operator that the container image and podman run.
const programs = ['health', 'secret-driver', 'prepare-part', 'reset-password']
const entry = (part) => {
  if (programs.includes(part)) return `apps/operator/src/programs/${part}.ts`
  return part === 'dashboard' ? 'apps/dashboard/server/src/main.ts' : `apps/${part}/src/main.ts`
}

export async function buildServers({ only = [...parts, ...programs] } = {}) {
  const entryPoints = Object.fromEntries(
    only.filter((part) => existsSync(root + entry(part))).map((part) => [part, root + entry(part)]),
  )
  await build({
    entryPoints,
    outdir: `${root}dist`,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    sourcemap: true,
    sourcesContent: false,
    external: ['chdb', 'lmdb', '@node-rs/argon2'],
    // Some CommonJS packages call require() for node's own modules.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  })
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
