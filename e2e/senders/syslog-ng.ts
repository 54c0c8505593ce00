import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { type FetchedPrograms, freePort, fromDebian, tempDir } from '@logstack/testkit'
import { eventually } from '../stack.ts'

const startLimitMs = 60_000

/** A running syslog-ng that takes lines of RFC 5424 over TCP and hands them to its destination. */
export interface SyslogNg {
  /** Hands it lines, without their ends. */
  send(lines: readonly string[]): Promise<void>
  /** What it said of itself. */
  log(): string
  stop(): Promise<void>
}

/** Debian's syslog-ng with its HTTP output and its library of configurations; unpacked, as it cannot be installed beside rsyslog. */
export function syslogNgPrograms(): Promise<FetchedPrograms> {
  return fromDebian(['syslog-ng-core', 'syslog-ng-mod-http', 'syslog-ng-scl'])
}

/** Starts the syslog-ng of that folder with `destination`, a driver as its manual writes it, and waits until it listens. */
export async function startSyslogNg(folder: string, destination: string): Promise<SyslogNg> {
  const scratch = tempDir('logstack-syslog-ng')
  const installed = join(folder, 'usr/lib/syslog-ng')
  const release = readdirSync(installed).find((name) => /^\d+\.\d+$/u.test(name)) ?? 'no release'
  const port = await freePort()
  const configuration = join(scratch.path, 'syslog-ng.conf')
  const lines = [
    `@version: ${release}`,
    'options { keep-hostname(yes); frac-digits(3); };',
    `@include "${folder}/usr/share/syslog-ng/include/scl/elasticsearch/*.conf"`,
    `source in { network(ip("127.0.0.1") port(${port}) transport("tcp") flags(syslog-protocol)); };`,
    `destination out { ${destination}; };`,
    'log { source(in); destination(out); flags(flow-control); };',
  ]
  writeFileSync(configuration, `${lines.join('\n')}\n`, { mode: 0o600 })
  const own = (name: string): string => join(scratch.path, name)
  const argv = [
    '-F',
    '-e',
    '--no-caps',
    '-f',
    configuration,
    '-R',
    own('persist'),
    '-c',
    own('control'),
    '-p',
    own('pid'),
  ]
  const child = spawn(join(folder, 'usr/sbin/syslog-ng'), [...argv, `--module-path=${join(installed, release)}`], {
    env: { PATH: process.env['PATH'], LD_LIBRARY_PATH: libraryFolders(folder).join(':') },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    log += chunk
  })
  process.once('exit', () => child.kill('SIGKILL'))
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit')
    scratch.remove()
  }
  const send = async (messages: readonly string[]): Promise<void> => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.end(messages.map((message) => `${message}\n`).join(''))
    await once(socket, 'close')
  }
  try {
    await eventually('syslog-ng listens', startLimitMs, async () => {
      if (child.exitCode === null) await send([])
      return true
    })
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`)
  } catch (thrown) {
    await stop()
    throw new Error(`syslog-ng did not start:\n${log}`, { cause: thrown })
  }
  return { send, log: () => log, stop }
}

/** Where libraries lie in an unpacked Debian package; the machine's architecture is part of the path. */
function libraryFolders(folder: string): string[] {
  const roots = [join(folder, 'usr/lib'), join(folder, 'lib')].filter((path) => existsSync(path))
  const triplets = roots.flatMap((path) =>
    readdirSync(path)
      .filter((name) => name.endsWith('-linux-gnu'))
      .map((name) => join(path, name)),
  )
  return [join(folder, 'usr/lib/syslog-ng'), ...triplets]
}
