import { chmodSync, chownSync, existsSync, readFileSync, statSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { parts } from '@logstack/contracts'
import { type DoctorContext, defineFault } from '../../doctor/define-fault.ts'
import { probeHttps } from '../../doctor/probe-https.ts'
import { restartCommands, restartParts } from '../../mending/restart-parts.ts'
import { firstAddress, isContainerInterface } from '../../places/host.ts'
import { writeFileAtomically } from '../../places/write-file.ts'
import { parseEnvironmentFile, setInEnvironmentFile } from '../../quadlet/environment-file.ts'
import { choiceVariables, type Stack } from '../../stack.ts'
import { certificates } from '../../steps/certificates.ts'

interface Found {
  /** The file as it should be. */
  readonly text: string
  readonly hasText: boolean
  /** Whether parts must read it anew. */
  readonly restart: boolean
}

const modeWanted = 0o600
const probeLimitMs = 3_000
const variableLine = /^\s*[A-Za-z_][A-Za-z0-9_]*=/

/** The environment file that every definition names is missing, has lines nobody can read, or names an address that is not this host's. */
export const environmentFile = defineFault<Found>({
  name: 'environment-file',
  title: 'environment file',
  explainedBy: [],
  async diagnose(context) {
    const { environmentFile: file } = context.stack.paths
    const before = existsSync(file) ? readFileSync(file, 'utf8') : undefined
    const address = await addressOf(context, parseEnvironmentFile(before ?? '')[choiceVariables.ipvar] ?? '')
    const broken = brokenLines(before ?? '')
    const problems = [
      ...(before === undefined ? [`${file} is missing`] : []),
      ...broken.map(({ number, line }) => `${file}:${number}: [${line}] is no NAME=value`),
      ...(before !== undefined && address.problem ? [`${file}: ${address.problem}`] : []),
      ...(before === undefined ? [] : modeProblems(file, context.stack)),
    ]
    if (problems.length === 0 && address.unseen) return { status: 'unknown', why: address.unseen }
    if (problems.length === 0 && address.note) return { status: 'information', detail: address.note }
    if (problems.length === 0) return { status: 'healthy', detail: `IPVAR=${address.wanted}` }
    const kept = commentOut(before ?? '')
    return {
      status: 'fault',
      problem: problems.join('; '),
      evidence: [
        `addresses of this host: ${ownAddresses().join(', ')}`,
        ...broken.map(({ number, line }) => `line ${number}: ${line}`),
      ],
      meaning: 'parts do not start without this file; with a wrong address agents and browsers are sent elsewhere',
      found: {
        text: setInEnvironmentFile(kept, wantedLines(context.stack, address.wanted, before === undefined)),
        hasText: before !== undefined,
        restart: before === undefined || broken.length > 0 || address.problem !== undefined,
      },
    }
  },
  plan({ stack }, { text, restart }) {
    const { environmentFile: file } = stack.paths
    return [
      `# write ${file}: ${text.trim().split('\n').join(' | ')}`,
      `chmod 600 ${file}`,
      ...(restart
        ? ['# renew certificates that lack the address: ./logstack down && ./logstack up', ...restartCommands(parts)]
        : []),
    ]
  },
  async repair({ stack }, { text, restart }, progress) {
    const { environmentFile: file } = stack.paths
    writeFileAtomically(file, text, modeWanted)
    chmodSync(file, modeWanted)
    if (stack.paths.root === '') chownSync(file, 0, 0)
    if (!restart) return
    const ipvar = parseEnvironmentFile(text)[choiceVariables.ipvar] ?? stack.choices.ipvar
    const now: Stack = { ...stack, choices: { ...stack.choices, ipvar } }
    if (!(await certificates.diagnose(now)).done) await certificates.apply(now, progress)
    await restartParts(stack, parts, progress)
  },
})

/** Lines that are neither comments nor assignments, with their numbers. */
export function brokenLines(text: string): { readonly number: number; readonly line: string }[] {
  return text
    .split('\n')
    .map((line, index) => ({ number: index + 1, line }))
    .filter(({ line }) => line.trim() !== '' && !line.trim().startsWith('#') && !variableLine.test(line))
}

/** The text with its broken lines as comments. */
export function commentOut(text: string): string {
  const broken = new Set(brokenLines(text).map(({ number }) => number))
  return text
    .split('\n')
    .map((line, index) => (broken.has(index + 1) ? `# not readable: ${line}` : line))
    .join('\n')
}

/** The address that IPVAR should hold, and what is wrong with what it holds, or cannot be seen, or is worth knowing. */
export interface JudgedAddress {
  readonly wanted: string
  readonly problem?: string
  readonly unseen?: string
  readonly note?: string
}

async function addressOf(context: DoctorContext, value: string): Promise<JudgedAddress> {
  const own = ownAddresses()
  const fallback = firstAddress() ?? '127.0.0.1'
  if (value === '') return { wanted: fallback, problem: 'IPVAR is not set' }
  const first = addressIn(value)
  if (first === undefined) return { wanted: fallback, problem: `IPVAR=${value} is no address` }
  if (first !== value) return { wanted: first, problem: `IPVAR=${value} has text behind the address` }
  if (own.includes(value) || isIP(value) === 0 || (await leadsHere(context, value))) return { wanted: value }
  const anonymous = await context.look.anonymous('/')
  return judgeForeign(value, { own: ownNetworks(), fallback, searchAnswers: anonymous.state === 'answered' })
}

/**
 * Judges an address that is none of this host's and that search does not answer at. It was chosen, and a repair would send agents elsewhere: it is
 * wrong only where search answers here, and no address translation is likely. That leads from another network to one of this host: an address of the
 * host's own networks that is not the host's is one that it lost, or of another machine.
 */
export function judgeForeign(
  value: string,
  { own, fallback, searchAnswers }: { own: readonly string[]; fallback: string; searchAnswers: boolean },
): JudgedAddress {
  const words = `IPVAR=${value} is not an address of this host`
  if (!own.some((cidr) => isInNetwork(value, cidr)))
    return {
      wanted: value,
      note: `${words}, nor of its networks: right where address translation leads it here; else see "Another address or name" in docs/operator/certificates.md`,
    }
  if (!searchAnswers) return { wanted: value, unseen: `${words}; whether it leads here shows once search answers` }
  return { wanted: fallback, problem: words }
}

/** Whether an address lies in the network of one of this host's, `192.0.2.10/24`. */
function isInNetwork(address: string, cidr: string): boolean {
  const [own = '', bits = ''] = cidr.split('/')
  const family = isIP(own)
  if (family === 0 || isIP(address) !== family) return false
  const network = new BlockList()
  network.addSubnet(own, Number(bits), family === 6 ? 'ipv6' : 'ipv4')
  return network.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/** The address or host name at the beginning of a value, without what stands behind it; undefined when there is none. */
export function addressIn(value: string): string | undefined {
  const [first = ''] = value
    .trim()
    .replace(/^["']/, '')
    .split(/[\s,;#"']/)
  return isIP(first) !== 0 || /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(first) ? first : undefined
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address))
}

// Those of the containers are this host's alone.
function ownNetworks(): string[] {
  return Object.entries(networkInterfaces())
    .filter(([name]) => !isContainerInterface(name))
    .flatMap(([, list]) => (list ?? []).flatMap(({ cidr, internal }) => (internal || cidr === null ? [] : [cidr])))
}

// Behind address translation the address that others use is not one of this host's: it must lead here.
async function leadsHere({ look, stack }: DoctorContext, address: string): Promise<boolean> {
  const host = isIP(address) === 6 ? `[${address}]` : address
  const url = `https://${host}:${stack.ports.of(9200)}/`
  const answer = await look.once(`address ${address}`, () => probeHttps(url, { limitMs: look.limitMs(probeLimitMs) }))
  return answer.state === 'answered' && answer.text.includes('security_exception')
}

function modeProblems(file: string, { paths }: Stack): string[] {
  const { mode, uid } = statSync(file)
  const problems =
    (mode & 0o777) === modeWanted ? [] : [`${file} has mode ${(mode & 0o777).toString(8)} instead of 600`]
  return paths.root === '' && uid !== 0 ? [...problems, `${file} belongs to user ${uid} instead of root`] : problems
}

function wantedLines({ choices }: Stack, ipvar: string, isNew: boolean): Record<string, string> {
  if (!isNew) return { [choiceVariables.ipvar]: ipvar }
  return {
    [choiceVariables.ipvar]: ipvar,
    [choiceVariables.portOffset]: String(choices.portOffset),
    [choiceVariables.adminUser]: choices.adminUser,
  }
}
