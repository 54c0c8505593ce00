import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'

const root = new URL('./', import.meta.url).pathname
const outDir = new URL('../../../dist/web', import.meta.url).pathname
const compressible = /\.(js|css|html|svg|json)$/
const compressFromBytes = 1024

/** Writes `.br` and `.gz` beside each text file, so that the server never compresses while someone waits. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    closeBundle() {
      for (const path of filesUnder(outDir)) {
        if (!compressible.test(path) || statSync(path).size < compressFromBytes) continue
        const bytes = readFileSync(path)
        const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
        writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }))
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
      }
    },
  }
}

const features = new URL('src/features/', import.meta.url).pathname

/**
 * Puts the small program that asks for data before all others, and writes `preload.json`: by the first word of a page's path the files it is
 * made of. The server names them in the page, so that the browser reads them beside the main program and not after it.
 */
function early(): Plugin {
  return {
    name: 'early',
    apply: 'build',
    config: () => ({
      build: { rolldownOptions: { input: { index: `${root}index.html`, boot: `${root}src/boot/boot.ts` } } },
    }),
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const boot = chunksOf(bundle ?? {}).find(({ name, isEntry }) => isEntry && name === 'boot')
        if (!boot) throw new Error('the pages have no program that asks early')
        const links = boot.imports.map((file) => `<link rel="modulepreload" crossorigin href="./${file}">`)
        // `async`: it waits neither for the page's styles nor for the programs before it.
        const script = `<script type="module" async crossorigin src="./${boot.fileName}"></script>`
        return html.replace('<script type="module"', `${[script, ...links].join('\n    ')}\n    <script type="module"`)
      },
    },
    generateBundle(_options, bundle) {
      const chunks = chunksOf(bundle)
      const pages = chunks.flatMap((chunk) => {
        const [, folder] = /\/features\/([^/]+)\/page\.tsx$/.exec(chunk.facadeModuleId ?? '') ?? []
        return folder === undefined ? [] : [[pathOf(folder), filesOf(chunk, chunks)] as const]
      })
      this.emitFile({ type: 'asset', fileName: 'preload.json', source: JSON.stringify(Object.fromEntries(pages)) })
    },
  }
}

type Bundle = Readonly<Record<string, Rolldown.OutputChunk | Rolldown.OutputAsset>>

function chunksOf(bundle: Bundle): Rolldown.OutputChunk[] {
  return Object.values(bundle).filter((one) => one.type === 'chunk')
}

/** The path a feature is found under, as its declaration says. */
function pathOf(folder: string): string {
  const [, path] = /\bpath: '([\w-]+)'/.exec(readFileSync(join(features, folder, 'feature.tsx'), 'utf8')) ?? []
  if (path === undefined) throw new Error(`${folder}/feature.tsx does not say its path`)
  return path
}

/** A page's program with all that it cannot begin without, and their styles. */
function filesOf(page: Rolldown.OutputChunk, chunks: readonly Rolldown.OutputChunk[]): string[] {
  const found = new Set([page])
  for (const chunk of found) {
    for (const file of chunk.imports) {
      const needed = chunks.find(({ fileName }) => fileName === file)
      if (needed) found.add(needed)
    }
  }
  const programs = [...found]
  return [...programs.map(({ fileName }) => fileName), ...programs.flatMap(stylesOf)]
}

function stylesOf({ viteMetadata }: Rolldown.OutputChunk): string[] {
  return [...(viteMetadata?.importedCss ?? [])]
}

function filesUnder(directory: string): string[] {
  return readdirSync(directory).flatMap((name) => {
    const path = join(directory, name)
    return statSync(path).isDirectory() ? filesUnder(path) : [path]
  })
}

// All that several pages share, but for what is large and wanted by few: the editor, and the checker of schemas.
const sharedModules = /^(?!.*\/(web\/src\/editor|node_modules\/zod|packages\/contracts)\/)/

// What the small program needs; apart from all else, which it must not wait for.
const earlyModules =
  /\/web\/src\/(boot\/early|api\/(client|session-end|index-patterns|search)|url-state\/app-path|query\/shared-fields|features\/dashboards\/model\/(load-dashboard|objects|saved-json))\.ts$/

// The drawing library without what only maps draw with (`charts/map-parts.ts`): nobody else shall wait for it.
const mapModules =
  '(chart[\\\\/](map|scatter|effectScatter|lines|custom)|coord[\\\\/](geo|View)|component[\\\\/](geo|helper[\\\\/](MapDraw|[rR]oam)))'
const chartModules = new RegExp(`node_modules[\\\\/](?!echarts[\\\\/]lib[\\\\/]${mapModules})(echarts|zrender)[\\\\/]`)

export default defineConfig({
  // Relative addresses only: the page works behind any host name, port and prefix.
  base: './',
  // Its other program asks for a module of Node.
  resolve: { alias: { hjson: 'hjson/bundle/hjson.js' } },
  plugins: [react(), early(), compressed()],
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2022',
    chunkSizeWarningLimit: 1200,
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Few files: each costs the browser a millisecond or two before the first of them can begin.
          groups: [
            { name: 'charts', test: chartModules, priority: 3 },
            { name: 'editor', test: /node_modules[\\/](codemirror|@codemirror|@lezer)[\\/]/, priority: 3 },
            { name: 'early', test: earlyModules, priority: 2 },
            { name: 'shared', test: sharedModules, minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
})
