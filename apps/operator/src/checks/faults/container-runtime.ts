import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { defineFault } from '../../doctor/define-fault.ts'

const versionMin = 5

/** podman is not installed, too old, or cannot open its storage. A person decides how it is installed or mended. */
export const containerRuntime = defineFault<readonly string[]>({
  name: 'container-runtime',
  title: 'container runtime',
  runtimes: ['podman'],
  limitMs: 9_000,
  async diagnose({ look }) {
    const meaning = 'parts that run go on; nothing can be started, stopped or looked at'
    const said = await look.command('podman', '--version')
    const version = /version (\d+)\.(\S+)/.exec(said?.stdout ?? '')
    // No answer in time says nothing of a program that is there: the host may be busy.
    if (!said && isInstalled('podman')) return { status: 'unknown', why: 'podman --version: no answer within 4 s' }
    if (!version) {
      return {
        status: 'fault',
        problem: 'podman is not installed, or does not start',
        evidence: [
          said
            ? `podman --version: exit code ${said.exitCode} ${said.stderr.trim()}`
            : `no podman in ${folders().join(', ')}`,
        ],
        meaning,
        found: ['apt-get install podman'],
      }
    }
    if (Number(version[1]) < versionMin) {
      return {
        status: 'fault',
        problem: `podman is ${version[1]}.${version[2]}, older than ${versionMin}.0`,
        evidence: [said?.stdout.trim() ?? ''],
        meaning: 'it knows neither the health notification nor the database that the stack relies on',
        found: ['# use Debian 13 or another host with podman 5.0 or newer, or the embedded stack: ./logstack up'],
      }
    }
    const listing = await look.listing()
    if (listing.state !== 'failed') return { status: 'healthy', detail: said?.stdout.trim() ?? '' }
    return { status: 'fault', problem: 'podman fails', evidence: [listing.message], meaning, found: ['podman info'] }
  },
  plan: (_context, commands) => commands,
})

function isInstalled(program: string): boolean {
  return folders().some((folder) => existsSync(join(folder, program)))
}

function folders(): string[] {
  return (process.env['PATH'] ?? '').split(':').filter(Boolean)
}
