// Sets a checkout up: npm packages when they are missing or the lock file changed, then the build. Prints what it does; safe to run again.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync, utimesSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const installLimitMs = 15 * 60_000
const buildLimitMs = 5 * 60_000

function run(command, args, timeout) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', timeout })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${error?.message ?? `exit code ${status}`}`)
}

/** Whether node_modules holds what the lock file asks for, by npm's own list of what it installed. */
export function packagesAreInstalled() {
  const installedList = `${root}node_modules/.package-lock.json`
  if (!existsSync(installedList)) return false
  const installed = JSON.parse(readFileSync(installedList, 'utf8')).packages
  const wanted = Object.entries(JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8')).packages)
  return wanted.every(([path, { version, optional }]) => {
    if (!path.includes('node_modules/')) return true
    const found = installed[path]
    return found ? found.version === version : optional === true
  })
}

/** Runs `npm ci` unless the packages installed are those of the lock file. */
export function installPackages() {
  if (packagesAreInstalled()) return
  console.log('installing npm packages (about a minute, 700 MB)')
  run('npm', ['ci', '--no-fund', '--no-audit', '--loglevel=error'], installLimitMs)
}

/** Bundles all programs into dist/. */
export function buildAll() {
  console.log('building')
  // The launcher builds again when a source is newer than this mark; it is as old as the start of the build.
  const startedAt = new Date()
  run(process.execPath, ['tools/build.mjs'], buildLimitMs)
  writeFileSync(`${root}dist/.built`, '')
  utimesSync(`${root}dist/.built`, startedAt, startedAt)
}

if (fileURLToPath(import.meta.url) === realpathSync(process.argv[1] ?? '.')) {
  try {
    installPackages()
    buildAll()
  } catch (thrown) {
    console.error(`set-up: ${thrown.message}`)
    process.exitCode = 1
  }
}
