// `npm run screenshots [FOLDER]`: builds search and the dashboard, draws every imported dashboard in Chromium and keeps a picture of each.
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = resolve(process.argv[2] ?? 'screenshots')

function run(...command) {
  const { status } = spawnSync(process.execPath, command, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, LOGSTACK_SCREENSHOTS: folder },
  })
  if (status !== 0) process.exit(status ?? 1)
}

run('tools/build.mjs', 'search', 'dashboard', 'web')
run('node_modules/vitest/vitest.mjs', 'run', '--project', 'e2e', 'e2e/imported-dashboards.e2e.ts')
console.log(`the pictures are in ${folder}`)
