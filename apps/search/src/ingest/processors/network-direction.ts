import { BlockList, isIP } from 'node:net'
import { unfit } from '../../refusals/unfit.ts'
import { defineProcessor } from '../define-processor.ts'
import type { IngestDocument } from '../ingest-document.ts'

/** Networks that have a name, by their address blocks. */
export const namedNetworks: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    loopback: ['127.0.0.0/8', '::1/128'],
    private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
    link_local_unicast: ['169.254.0.0/16', 'fe80::/10'],
    link_local_multicast: ['224.0.0.0/24', 'ff02::/16'],
    interface_local_multicast: ['ff01::/16'],
    multicast: ['224.0.0.0/4', 'ff00::/8'],
    unspecified: ['0.0.0.0/32', '::/128'],
  }),
)
/** Names that mean all addresses but those of some networks. */
export const networksAllBut: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    public: [
      'loopback',
      'private',
      'link_local_unicast',
      'link_local_multicast',
      'interface_local_multicast',
      'multicast',
      'unspecified',
    ],
    global_unicast: ['loopback', 'link_local_unicast', 'multicast', 'unspecified'],
    unicast: ['loopback', 'link_local_unicast', 'multicast', 'unspecified'],
  }),
)

function blocks(cidrs: readonly string[]): BlockList {
  const list = new BlockList()
  for (const cidr of cidrs) {
    const [address = '', bits] = cidr.split('/')
    const kind = isIP(address)
    const most = kind === 4 ? 32 : 128
    const length = bits === undefined ? most : Number(bits)
    if (kind === 0 || !/^\d*$/u.test(bits ?? '') || length > most) throw unfit(`'${cidr}' is not an IP string literal.`)
    list.addSubnet(address, length, kind === 4 ? 'ipv4' : 'ipv6')
  }
  return list
}

/** Networks are few and documents many: what was read of one is kept. */
const known = new Map<string, BlockList>()
const knownMax = 1_000

function blockOf(network: string): BlockList {
  const found = known.get(network)
  if (found) return found
  const made = blocks(namedNetworks.get(network) ?? [network])
  if (known.size >= knownMax) known.clear()
  known.set(network, made)
  return made
}

function isInside(address: string, networks: readonly string[]): boolean {
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
  return networks.some((network) => {
    const others = networksAllBut.get(network)
    return others
      ? !others.some((other) => blockOf(other).check(address, family))
      : blockOf(network).check(address, family)
  })
}

/** `network_direction`: whether a flow stays in the own networks, leaves them, comes in or has nothing to do with them. */
export const networkDirectionProcessor = defineProcessor('network_direction', (config) => {
  const source = config.optionalText('source_ip') ?? 'source.ip'
  const destination = config.optionalText('destination_ip') ?? 'destination.ip'
  const target = config.optionalText('target_field') ?? 'network.direction'
  const ignoreMissing = config.boolean('ignore_missing', true)
  const networksField = config.optionalText('internal_networks_field')
  const given = config.optionalTexts('internal_networks')
  if ((given === undefined) === (networksField === undefined))
    throw config.fault('internal_networks', 'or [internal_networks_field] must be specified, and not both')
  const templates = given?.map((network) => config.compiled('internal_networks', network))
  const networksOf = (document: IngestDocument): readonly string[] => {
    if (templates) return templates.map((fill) => fill(document))
    const held = document.get(networksField ?? '')
    return [held].flat().filter((network) => typeof network === 'string')
  }
  const addressOf = (document: IngestDocument, path: string): string | undefined => {
    const value = document.find(path)
    if (value === undefined || value === null) return undefined
    const text = String(value)
    if (isIP(text) === 0) throw unfit(`'${text}' is not an IP string literal.`)
    return text
  }
  return (document) => {
    const [from, to] = [addressOf(document, source), addressOf(document, destination)]
    if (from === undefined || to === undefined) {
      if (ignoreMissing) return
      throw unfit('unable to calculate network direction from document')
    }
    const networks = networksOf(document)
    const [starts, ends] = [isInside(from, networks), isInside(to, networks)]
    document.set(target, starts ? (ends ? 'internal' : 'outbound') : ends ? 'inbound' : 'external')
  }
})
