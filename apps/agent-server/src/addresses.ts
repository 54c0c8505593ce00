import { isIP } from 'node:net'

/** What the addresses are made of: all from the part's environment. */
export interface AddressSources {
  /** The address people and agents use for this host; empty when unset. */
  readonly ipvar: string
  readonly listen: { readonly host: string; readonly port: number }
  /** endpoint-manager's address inside the stack; its port is the one agents use too. */
  readonly endpointManagerUrl: string | undefined
}

/**
 * The URL agents check in at: `IPVAR` and the port agent-server listens on. Without `IPVAR` only a loopback address is a usable one, so otherwise
 * there is none and people are told "Missing URL for Fleet Server host".
 */
export function fleetServerUrl({ ipvar, listen }: AddressSources): string | undefined {
  const host = ipvar || (isLoopback(listen.host) ? listen.host : '')
  return host === '' ? undefined : `https://${bracketed(host)}:${listen.port}`
}

/** Where agents send events: endpoint-manager's URL with its host replaced by `IPVAR` when that is set. */
export function endpointHosts({ ipvar, endpointManagerUrl }: AddressSources): string[] {
  if (endpointManagerUrl === undefined) return []
  const url = new URL(endpointManagerUrl)
  const host = ipvar === '' ? url.hostname : bracketed(ipvar)
  return [`https://${host}:${url.port || '1514'}`]
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}

function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host
}
