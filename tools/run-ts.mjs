// Runs a TypeScript program of this repository: `node tools/run-ts.mjs <file.ts> [argument…]`. Bundles it first, as Node 20 cannot.
import { mkdirSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const [source, ...rest] = process.argv.slice(2)
if (!source) {
  console.error('usage: node tools/run-ts.mjs <file.ts> [argument…]')
  process.exit(2)
}
// Under node_modules, so that packages that stay outside the bundle are found from there.
const outDir = `${root}node_modules/.cache/run-ts`
mkdirSync(outDir, { recursive: true })
const outfile = `${outDir}/${basename(source, '.ts')}.mjs`
await build({
  entryPoints: [resolve(source)],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  sourcemap: 'inline',
  external: ['chdb', 'esbuild', 'lmdb', '@node-rs/argon2', 'playwright-core', 'vitest'],
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
  },
  logLevel: 'warning',
})
process.argv = [process.argv[0], outfile, ...rest]
await import(pathToFileURL(outfile).href)
