import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError, isAppError, operatorErrors } from '@logstack/errors'
import { readAddresses } from '@logstack/search-client'
import { type PartClients, partClients } from './clients/part-clients.ts'
import { hostIsInstalled } from './places/host.ts'
import { embeddedPaths, hostPaths, type Paths } from './places/paths.ts'
import { embeddedPorts, hostPorts, type Ports, portOffsetMax } from './places/ports.ts'
import { parseEnvironmentFile } from './quadlet/environment-file.ts'
import { PodmanRuntime } from './runtimes/podman/podman-runtime.ts'
import { ProcessRuntime } from './runtimes/process/process-runtime.ts'
import { withRemoteSearch } from './runtimes/remote-search.ts'
import type { Runtime } from './runtimes/runtime.ts'
import { Vault } from './vault/vault.ts'

/** What was chosen once and holds for a stack's life: kept in its environment file. */
export interface StackChoices {
  /** The address people and agents use for this host. */
  readonly ipvar: string
  readonly portOffset: number
  /** The administrator's name. */
  readonly adminUser: string
  /** The addresses of the cluster that stands in search's place, with commas between; `own` for search itself. */
  readonly searchUrl: string
}

/** What `searchUrl` is where search is the stack's own. */
export const ownSearch = 'own'

/** Whether somebody else's cluster stands in search's place. */
export function searchIsRemote({ choices }: Pick<Stack, 'choices'>): boolean {
  return clusterOf(choices) !== undefined
}

/** The addresses of the cluster in search's place; undefined where search is the stack's own. */
function clusterOf({ searchUrl }: StackChoices): string | undefined {
  return searchUrl === ownSearch ? undefined : searchUrl
}

/** One stack as commands, steps and checks see it, whatever runs it. */
export interface Stack {
  readonly paths: Paths
  readonly ports: Ports
  readonly choices: StackChoices
  readonly vault: Vault
  readonly runtime: Runtime
  readonly clients: PartClients
}

/** A stack that the operator itself runs, as processes of this user. */
export interface EmbeddedStack extends Stack {
  readonly runtime: ProcessRuntime
}

/** Does one piece of work on a stack that is opened for it, and ends its connections afterwards, however the work ended. */
export async function useStack<T>(open: () => Stack, work: (stack: Stack) => Promise<T>): Promise<T> {
  const stack = open()
  try {
    return await work(stack)
  } finally {
    stack.clients.close()
  }
}

/** Whether the operator itself runs this stack. */
export function isEmbedded(stack: Stack): stack is EmbeddedStack {
  return stack.runtime.kind === 'process'
}

type GivenChoices = { readonly [K in keyof StackChoices]?: StackChoices[K] | undefined }

const defaults: StackChoices = { ipvar: '127.0.0.1', portOffset: 0, adminUser: 'elastic', searchUrl: ownSearch }

/** Names of the choices in the environment file. */
export const choiceVariables = {
  ipvar: 'IPVAR',
  portOffset: 'LOGSTACK_PORT_OFFSET',
  adminUser: 'LOGSTACK_ADMIN_USER',
  searchUrl: 'LOGSTACK_SEARCH_CLUSTER',
} as const satisfies Record<keyof StackChoices, string>

/** Opens the embedded stack in `dataDir`; `given` choices win over those of its environment file, and these over the defaults. */
export function openStack(options: {
  readonly dataDir: string
  readonly programDir: string
  readonly given?: GivenChoices
}): EmbeddedStack {
  const paths = embeddedPaths(options.dataDir, options.programDir)
  const choices = choicesOf(paths, options.given)
  const ports = embeddedPorts({ offset: choices.portOffset, ipvar: choices.ipvar })
  const vault = new Vault(paths)
  const cluster = clusterOf(choices)
  const clients = partClients({ paths, ports, vault, adminUser: choices.adminUser, cluster })
  const runtime = withRemoteSearch(new ProcessRuntime(paths, ports), cluster, clients)
  return { paths, ports, choices, vault, clients, runtime }
}

/** Opens the stack of this host, which systemd and podman run; made by `install`. Without a chosen address `ipvar` holds. */
export function openHostStack(options: {
  readonly programDir: string
  readonly ipvar?: string
  readonly given?: GivenChoices
}): Stack {
  const planned = hostPaths(options.programDir)
  // Before an installation the shipped definitions are the ones that will be.
  const paths = hostIsInstalled() ? planned : { ...planned, quadletDir: join(options.programDir, 'quadlet') }
  const choices = choicesOf(paths, options.given, options.ipvar)
  const vault = new Vault(paths)
  const cluster = clusterOf(choices)
  const clients = partClients({ paths, ports: hostPorts, vault, adminUser: choices.adminUser, cluster })
  const runtime = withRemoteSearch(new PodmanRuntime(), cluster, clients)
  return { paths, ports: hostPorts, choices, vault, clients, runtime }
}

function choicesOf(paths: Paths, given: GivenChoices = {}, ipvar = defaults.ipvar): StackChoices {
  const kept = readChoices(paths.environmentFile)
  return {
    ipvar: given.ipvar ?? kept.ipvar ?? ipvar,
    portOffset: checkedOffset(given.portOffset ?? kept.portOffset ?? defaults.portOffset),
    adminUser: given.adminUser ?? kept.adminUser ?? defaults.adminUser,
    searchUrl: checkedAddress(given.searchUrl) ?? kept.searchUrl ?? defaults.searchUrl,
  }
}

function readChoices(file: string): Partial<StackChoices> {
  if (!existsSync(file)) return {}
  const found = parseEnvironmentFile(readFileSync(file, 'utf8'))
  const offset = found[choiceVariables.portOffset]
  // Text behind the address is a fault that doctor mends; nobody shall be sent to such an address meanwhile.
  const ipvar = found[choiceVariables.ipvar]?.split(/\s/)[0]
  const adminUser = found[choiceVariables.adminUser]
  const searchUrl = found[choiceVariables.searchUrl]
  return {
    ...(ipvar ? { ipvar } : {}),
    ...(offset ? { portOffset: Number(offset) } : {}),
    ...(adminUser ? { adminUser } : {}),
    ...(searchUrl ? { searchUrl } : {}),
  }
}

function checkedOffset(offset: number): number {
  if (Number.isInteger(offset) && offset >= 0 && offset <= portOffsetMax) return offset
  throw new AppError(operatorErrors.option_invalid, `${offset} cannot be a port offset`, {
    fix: `use a whole number from 0 to ${portOffsetMax}`,
  })
}

function checkedAddress(text: string | undefined): string | undefined {
  if (text === undefined || text === ownSearch) return text
  try {
    return readAddresses(text)
      .map((url) => url.origin)
      .join(',')
  } catch (thrown) {
    if (!isAppError(thrown)) throw thrown
    throw new AppError(operatorErrors.option_invalid, thrown.message, {
      cause: thrown,
      fix: 'use an address as https://opensearch.example:9200, of several nodes with commas between; own goes back to the search of the stack',
    })
  }
}
