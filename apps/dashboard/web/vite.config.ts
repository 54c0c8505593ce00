import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

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

function filesUnder(directory: string): string[] {
  return readdirSync(directory).flatMap((name) => {
    const path = join(directory, name)
    return statSync(path).isDirectory() ? filesUnder(path) : [path]
  })
}

export default defineConfig({
  // Relative addresses only: the page works behind any host name, port and prefix.
  base: './',
  plugins: [react(), compressed()],
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2022',
    chunkSizeWarningLimit: 1200,
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'charts', test: /node_modules[\\/](echarts|zrender)[\\/]/ },
            { name: 'editor', test: /node_modules[\\/](codemirror|@codemirror|@lezer)[\\/]/ },
          ],
        },
      },
    },
  },
})
