import { existsSync, lstatSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { z } from 'zod'
import { type Diagnosis, defineFault } from '../../doctor/define-fault.ts'
import { startAll } from '../../doctor/start-all.ts'
import { askName, type NameAnswer } from '../../evidence/name-query.ts'
import { endProcess } from '../../mending/end-process.ts'
import { restartCommands, restartParts } from '../../mending/restart-parts.ts'
import { host } from '../../places/host.ts'
import { identifyProcess, type ProcessIdentity } from '../../places/process-identity.ts'
import { readJsonFile } from '../../places/read-json-file.ts'
import { writeFileAtomically } from '../../places/write-file.ts'

/** What is known of podman's name server before it is asked. */
interface NameServer {
  /** Where the containers send their questions. */
  readonly address: string
  /** The containers it was told of, by name. */
  readonly names: readonly string[]
  /** Its process, when it runs; `isStopped` by a signal. */
  readonly process: (ProcessIdentity & { readonly isStopped: boolean }) | undefined
  /** What keeps it from starting. */
  readonly obstacle?: Obstacle
}

/** The host's own file of name servers is not there: where a link leads, when it is one that leads nowhere. */
interface Obstacle {
  readonly link: string | undefined
}

/** podman's name server reads it at its start, and ends where it cannot; without any name server in it it works. */
const resolverFile = '/etc/resolv.conf'

const networkFile = `/etc/containers/networks/${host.network}.json`
const folder = '/run/containers/networks/aardvark-dns'
const pidFile = `${folder}/aardvark.pid`
const program = 'aardvark-dns'
const askLimitMs = 2_000
/** One answer may be late on a busy host; so many in a row are not. */
const asksMax = 3
const words: Readonly<Record<NameAnswer, string>> = {
  known: 'answers',
  unknown: 'does not know',
  refused: 'refuses questions: nobody listens there',
  silent: 'does not answer',
}

const networkSchema = z.object({ subnets: z.array(z.object({ gateway: z.string().optional() })) })

/** podman's name server (aardvark-dns) is gone or stuck: the containers run, and do not find each other any more. */
export const nameServer = defineFault<NameServer>({
  name: 'name-server',
  title: 'names of the containers',
  runtimes: ['podman'],
  limitMs: 9_000,
  explainedBy: ['container-runtime', 'network', 'firewall'],
  async diagnose({ look }) {
    const server = nameServerOf()
    if (!server) return { status: 'unknown', why: `podman has no network [${host.network}] with an address` }
    const obstacle = obstacleIn(resolverFile)
    if (obstacle) return judgeObstacle(server, obstacle)
    const [name] = server.names
    if (name === undefined) return { status: 'healthy', detail: 'no container asks for names' }
    return judgeNames(server, await askPatiently(server, name, look.limitMs(askLimitMs)))
  },
  plan: (_context, server) => [
    ...(server.obstacle ? obstacleCommands(server.obstacle) : []),
    ...(server.process ? [`kill ${server.process.pid}   # ${program}; kill -KILL if it is still there after 3 s`] : []),
    `rm -f ${pidFile}`,
    '# whichever container starts next brings it up again, for all of them:',
    ...restartCommands(['alerter']),
  ],
  async repair({ stack }, server, progress) {
    // A link belongs to the program that keeps its target, which is to be started or removed.
    if (server.obstacle?.link !== undefined) return
    if (server.obstacle) writeFileAtomically(resolverFile, noNameServer, 0o644)
    if (server.process) await endProcess(server.process)
    // podman would send a signal to whatever has its number now.
    rmSync(pidFile, { force: true })
    await restartParts(stack, ['alerter'], progress)
    if (server.obstacle) await startAll(stack, progress)
  },
})

const noNameServer = '# This file was missing. Name servers of this host, a line each: nameserver 192.0.2.1\n'

/** Whether the file is missing, or a link that leads nowhere. */
export function obstacleIn(file: string): Obstacle | undefined {
  if (existsSync(file)) return undefined
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true
  return { link: isLink ? readlinkSync(file) : undefined }
}

function judgeObstacle(server: NameServer, obstacle: Obstacle): Diagnosis<NameServer> {
  const { link } = obstacle
  return {
    status: 'fault',
    problem: `${resolverFile} ${link === undefined ? 'is missing' : `leads to ${link}, which is not there`}: podman's name server does not start without it`,
    evidence: [
      link === undefined ? `there is no ${resolverFile}` : `${resolverFile} is a link to ${link}`,
      ...(server.process ? [`${program} runs on since before, as process ${server.process.pid}`] : []),
    ],
    meaning: 'no part starts again, and this host itself finds no name of another one',
    found: { ...server, obstacle },
  }
}

function obstacleCommands({ link }: Obstacle): string[] {
  if (link === undefined) return [`echo '${noNameServer.trim()}' > ${resolverFile}`]
  return [
    `# start the program that keeps ${link}, such as: systemctl enable --now systemd-resolved`,
    `# or, where it was removed: rm ${resolverFile}; echo 'nameserver <ADDRESS>' > ${resolverFile}; then:`,
  ]
}

function nameServerOf(): NameServer | undefined {
  if (!existsSync(networkFile)) return undefined
  const { subnets } = readJsonFile(networkFile, networkSchema, `move it away, and run: ./logstack doctor --repair`)
  const address = subnets.find(({ gateway }) => gateway !== undefined)?.gateway
  if (address === undefined) return undefined
  return { address, names: namesIn(textOf(`${folder}/${host.network}`)), process: runningServer() }
}

/** The containers in the file that tells the name server of a network: its addresses, then a line a container of id, IPv4, IPv6 and names. */
export function namesIn(text: string): string[] {
  return text
    .split('\n')
    .slice(1)
    .flatMap((line) => line.split(' ')[3]?.split(',')[0] || [])
}

/** Tells a server that is gone or stuck from one that works, by what it answered to the name of a container that it was told of. */
export function judgeNames(server: NameServer, answer: NameAnswer): Diagnosis<NameServer> {
  const { address, names, process } = server
  if (answer === 'known') return { status: 'healthy', detail: `${address} knows ${names.length} containers` }
  const isForgetful = answer === 'unknown'
  return {
    status: 'fault',
    problem: isForgetful
      ? `podman's name server does not know ${names[0]}`
      : `podman's name server is ${process ? 'stuck' : 'gone'}`,
    evidence: [
      `${address} port 53, where the containers ask for names, ${words[answer]}${isForgetful ? ` ${names[0]}` : ''}`,
      process
        ? `${program} is process ${process.pid}${process.isStopped ? ', stopped' : ''}`
        : `${pidFile} names no process of ${program} that runs`,
    ],
    meaning: 'parts do not find search when they connect anew; what is connected goes on for a while',
    found: server,
  }
}

async function askPatiently({ address, process }: NameServer, name: string, timeoutMs: number): Promise<NameAnswer> {
  for (let asked = 1; ; asked += 1) {
    const answer = await askName(address, name, { timeoutMs })
    if (answer !== 'silent' || process?.isStopped || asked === asksMax) return answer
  }
}

function runningServer(): NameServer['process'] {
  const pid = Number(textOf(pidFile).trim())
  if (!Number.isInteger(pid) || pid <= 0 || !textOf(`/proc/${pid}/cmdline`).includes(program)) return undefined
  const identity = identifyProcess(pid)
  return identity && { ...identity, isStopped: /^State:\s+T/m.test(textOf(`/proc/${pid}/status`)) }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (thrown) {
    if (['ENOENT', 'ESRCH'].includes((thrown as NodeJS.ErrnoException).code ?? '')) return ''
    throw thrown
  }
}
