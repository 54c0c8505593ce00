import { existsSync, readFileSync, rmSync } from 'node:fs'
import { z } from 'zod'
import { type Diagnosis, defineFault } from '../../doctor/define-fault.ts'
import { askName, type NameAnswer } from '../../evidence/name-query.ts'
import { endProcess } from '../../mending/end-process.ts'
import { restartCommands, restartParts } from '../../mending/restart-parts.ts'
import { host } from '../../places/host.ts'
import { identifyProcess, type ProcessIdentity } from '../../places/process-identity.ts'
import { readJsonFile } from '../../places/read-json-file.ts'

/** What is known of podman's name server before it is asked. */
interface NameServer {
  /** Where the containers send their questions. */
  readonly address: string
  /** The containers it was told of, by name. */
  readonly names: readonly string[]
  /** Its process, when it runs; `isStopped` by a signal. */
  readonly process: (ProcessIdentity & { readonly isStopped: boolean }) | undefined
}

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
    const [name] = server.names
    if (name === undefined) return { status: 'healthy', detail: 'no container asks for names' }
    return judgeNames(server, await askPatiently(server, name, look.limitMs(askLimitMs)))
  },
  plan: (_context, server) => [
    ...(server.process ? [`kill ${server.process.pid}   # ${program}; kill -KILL if it is still there after 3 s`] : []),
    `rm -f ${pidFile}`,
    '# whichever container starts next brings it up again, for all of them:',
    ...restartCommands(['alerter']),
  ],
  async repair({ stack }, server, progress) {
    if (server.process) await endProcess(server.process)
    // podman would send a signal to whatever has its number now.
    rmSync(pidFile, { force: true })
    await restartParts(stack, ['alerter'], progress)
  },
})

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
