// How the agent is bundled: small, because an endpoint holds the text of its program in memory.
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

// The messages of zod in fifty languages, of which the agent speaks one: 0.4 MB, and two bytes a character for all that stands with them in one file.
const oneLanguage = {
  name: 'one-language',
  setup(build) {
    build.onResolve({ filter: /locales\/index\.js$/ }, ({ importer }) =>
      /node_modules[\\/]zod[\\/]/.test(importer) ? { path: 'none', namespace: 'one-language' } : undefined,
    )
    build.onLoad({ filter: /./, namespace: 'one-language' }, () => ({ contents: 'export {}' }))
  },
}

/** What esbuild needs to know of the agent, whatever form it is to have. */
export const agentBundle = {
  entryPoints: [`${root}apps/agent/src/main.ts`],
  bundle: true,
  minify: true,
  keepNames: true,
  platform: 'node',
  target: 'node20.19',
  plugins: [oneLanguage],
  logLevel: 'warning',
}
