import { existsSync, readFileSync } from 'node:fs'
import { AppError, operatorErrors } from '@logstack/errors'
import { SearchClient } from '@logstack/search-client'
import type { Paths } from '../places/paths.ts'
import type { Ports } from '../places/ports.ts'
import type { Vault } from '../vault/vault.ts'
import { PartClient } from './part-client.ts'

/** How the operator talks to the parts: as the administrator, over TLS under the stack's own authority. */
export interface PartClients {
  readonly searchUrl: string
  readonly dashboardUrl: string
  readonly agentServerUrl: string
  /** Search with the administrator's stored password. */
  search(): SearchClient
  /** Search without credentials. */
  anonymousSearch(): SearchClient
  /** Search as another user. */
  searchAs(username: string, password: string): SearchClient
  dashboard(): PartClient
  agentServer(): PartClient
  /** Ends all connections; clients asked for afterwards read certificate and password anew. */
  close(): void
}

const definedPorts = { search: 9200, dashboard: 5601, agentServer: 8220 } as const

/** Makes the clients; certificate and password are read when a client is first used, as they may not exist before. */
export function partClients(of: {
  paths: Paths
  ports: Ports
  vault: Vault
  adminUser: string
  /** The addresses of a cluster in search's place. */
  cluster?: string | undefined
}): PartClients {
  const urlOf = (port: number): string => `https://127.0.0.1:${of.ports.of(port)}`
  const forget: (() => void)[] = []
  const kept = <T extends { close(): void }>(make: () => T): (() => T) => {
    let made: T | undefined
    return () => {
      if (made) return made
      const client = make()
      made = client
      forget.push(() => {
        client.close()
        made = undefined
      })
      return client
    }
  }
  const ca = (): string => readAuthority(of.paths)
  const admin = () => ({ username: of.adminUser, password: of.vault.read(of.adminUser) })
  const part = (name: string, port: number): PartClient =>
    new PartClient({ name, url: urlOf(port), ca: ca(), credentials: admin() })
  // Without credentials: what asks as someone else must not need the administrator's secret.
  const searchUrl = of.cluster ?? urlOf(definedPorts.search)
  const searchCa = (): string =>
    of.cluster !== undefined && existsSync(of.paths.searchCaFile) ? readFileSync(of.paths.searchCaFile, 'utf8') : ca()
  const connection = kept(() => new SearchClient({ url: searchUrl, ca: searchCa(), connectionsMax: 8 }))
  const search = kept(() => connection().withCredentials(admin()))
  return {
    searchUrl,
    dashboardUrl: urlOf(definedPorts.dashboard),
    agentServerUrl: urlOf(definedPorts.agentServer),
    search,
    anonymousSearch: connection,
    searchAs: (username, password) => connection().withCredentials({ username, password }),
    dashboard: kept(() => part('dashboard', definedPorts.dashboard)),
    agentServer: kept(() => part('agent-server', definedPorts.agentServer)),
    close: () => {
      for (const call of forget.splice(0)) call()
    },
  }
}

function readAuthority(paths: Paths): string {
  if (existsSync(paths.caFile)) return readFileSync(paths.caFile, 'utf8')
  throw new AppError(operatorErrors.not_running, `there is no stack in ${paths.root} yet`, {
    fix: './logstack up --detach',
  })
}
