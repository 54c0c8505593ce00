// How the agent is bundled: small, because an endpoint holds the text of its program in memory.
import { fileURLToPath } from 'node:url'
import { oneLanguage } from './one-language.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

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
