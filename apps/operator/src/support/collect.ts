import { closeSync, existsSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { parts } from '@logstack/contracts'
import { messageOf } from '@logstack/errors'
import { runCommand } from '@logstack/process'
import { runChecks } from '../checks/define-check.ts'
import { faults } from '../checks/faults/index.ts'
import { verifyChecks } from '../checks/index.ts'
import { examine } from '../doctor/examine.ts'
import { probeSearch } from '../doctor/probe-search.ts'
import { jsonOfExamined } from '../doctor/render.ts'
import { productVersion } from '../places/product-version.ts'
import type { Stack } from '../stack.ts'

/** One file of a bundle before its secrets are taken out. */
export interface Evidence {
  /** Its path in the bundle. */
  readonly path: string
  read(): Promise<string>
}

const limits = { commandMs: 10_000, logLines: 2_000, logMs: 20_000, fileBytesMax: 512 * 1024 } as const

const hostCommands: readonly (readonly [path: string, argv: readonly string[]])[] = [
  ['host/kernel.txt', ['uname', '-a']],
  ['host/release.txt', ['cat', '/etc/os-release']],
  ['host/disks.txt', ['df', '--human-readable', '--print-type']],
  ['host/memory.txt', ['free', '--mebi']],
  ['host/uptime.txt', ['uptime']],
  ['host/ports.txt', ['ss', '--listening', '--tcp', '--udp', '--numeric', '--processes']],
]
const installedCommands: readonly (readonly [path: string, argv: readonly string[]])[] = [
  ['units/states.txt', ['systemctl', 'list-units', '--all', '--no-pager', 'logstack*']],
  ['units/files.txt', ['systemctl', 'list-unit-files', '--no-pager', 'logstack*']],
  ['units/failed.txt', ['systemctl', 'list-units', '--failed', '--no-pager']],
  ['units/timers.txt', ['systemctl', 'list-timers', '--all', '--no-pager', 'logstack*']],
  ['containers/list.txt', ['podman', 'ps', '--all']],
  ['containers/images.txt', ['podman', 'images']],
  ['containers/version.txt', ['podman', 'version']],
  ['containers/secrets.txt', ['podman', 'secret', 'ls']],
]
const searchPaths: readonly (readonly [path: string, url: string])[] = [
  ['search/root.json', '/'],
  ['search/health.json', '/_cluster/health'],
  ['search/indices.txt', '/_cat/indices?v&expand_wildcards=all'],
  ['search/shards.txt', '/_cat/shards?v&expand_wildcards=all'],
  ['search/templates.json', '/_index_template'],
  ['search/stats.json', '/_nodes/stats'],
]

/** All that tells how a stack is: what doctor and verify say, versions, states, logs, settings. It reads only; secrets are taken out later. */
export function evidenceOf(stack: Stack): Evidence[] {
  const commands = stack.runtime.kind === 'podman' ? [...hostCommands, ...installedCommands] : hostCommands
  return [
    { path: 'doctor.json', read: () => doctorText(stack) },
    { path: 'verify.json', read: () => verifyText(stack) },
    {
      path: 'versions.txt',
      read: async () => `logstack ${productVersion}\nnode ${process.version}\nruntime ${stack.runtime.kind}\n`,
    },
    { path: 'parts.json', read: async () => json(await stack.runtime.list()) },
    ...commands.map(([path, argv]) => ({ path, read: () => commandText(argv) })),
    ...searchPaths.map(([path, url]) => ({ path, read: () => searchText(stack, url) })),
    ...parts.map((part) => ({ path: `logs/${part}.log`, read: () => logText(stack, part) })),
    ...filesOf(stack).map(({ path, file }) => ({ path, read: async () => tailOf(file) })),
  ]
}

/** The text of one piece of evidence; where it could not be read, why. Never throws. */
export async function textOf({ read }: Evidence): Promise<string> {
  try {
    return await read()
  } catch (thrown) {
    return `could not be collected: ${messageOf(thrown)}\n`
  }
}

async function doctorText(stack: Stack): Promise<string> {
  return json((await examine(stack, faults)).map(jsonOfExamined))
}

async function verifyText(stack: Stack): Promise<string> {
  return json((await runChecks(verifyChecks, stack)).map(({ name, outcome }) => ({ name, ...outcome })))
}

async function commandText(argv: readonly string[]): Promise<string> {
  const anyExit = Array.from({ length: 256 }, (_, code) => code)
  const { exitCode, stdout, stderr } = await runCommand(argv, { timeoutMs: limits.commandMs, accept: anyExit })
  return `$ ${argv.join(' ')}\n${stdout}${stderr}${exitCode === 0 ? '' : `exit code ${exitCode}\n`}`
}

async function searchText(stack: Stack, path: string): Promise<string> {
  const { choices, vault } = stack
  const credentials = { username: choices.adminUser, password: vault.read(choices.adminUser) }
  const answer = await probeSearch(stack, path, { limitMs: limits.commandMs, credentials })
  return answer.state === 'answered' ? answer.text : `${answer.message}\n`
}

async function logText({ runtime }: Stack, part: (typeof parts)[number]): Promise<string> {
  const lines: string[] = []
  const signal = AbortSignal.timeout(limits.logMs)
  for await (const line of runtime.logs(part, { lines: limits.logLines, follow: false, signal })) lines.push(line)
  return `${lines.join('\n')}\n`
}

// Settings, definitions and the operator's own logs. Nothing of the folders of secrets and keys.
function filesOf({ paths }: Stack): { path: string; file: string }[] {
  const folders = [
    { folder: 'settings', dir: paths.configDir, name: /\.ya?ml$/ },
    { folder: 'definitions', dir: paths.quadletDir, name: /^logstack.*\.(container|network|volume)$/ },
    {
      folder: 'logs/operator',
      dir: paths.logDir,
      name: /^((doctor-audit|operator|supervisor|logstack-supervisor).*\.log|health\.json)$/,
    },
  ]
  const listed = folders.flatMap(({ folder, dir, name }) =>
    (existsSync(dir) ? readdirSync(dir) : [])
      .filter((file) => name.test(file))
      .map((file) => ({ path: `${folder}/${file}`, file: join(dir, file) })),
  )
  const dropIns = (existsSync(paths.dropInDir) ? readdirSync(paths.dropInDir) : [])
    .filter((name) => /^logstack.*\.d$/.test(name))
    .flatMap((name) => readdirSync(join(paths.dropInDir, name)).map((file) => `${name}/${file}`))
    .map((file) => ({ path: `definitions/${file}`, file: join(paths.dropInDir, file) }))
  return [...listed, ...dropIns, { path: 'settings/environment.env', file: paths.environmentFile }]
}

/** The end of a file, in whole lines: half a secret would not be known as one. */
function tailOf(file: string): string {
  const descriptor = openSync(file, 'r')
  try {
    const { size } = fstatSync(descriptor)
    const bytes = Buffer.alloc(Math.min(size, limits.fileBytesMax))
    const read = readSync(descriptor, bytes, 0, bytes.length, size - bytes.length)
    const text = bytes.subarray(0, read)
    return text.subarray(size > bytes.length ? text.indexOf('\n') + 1 : 0).toString('utf8')
  } finally {
    closeSync(descriptor)
  }
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}
