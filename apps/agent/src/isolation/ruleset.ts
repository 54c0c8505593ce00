import { isIP } from 'node:net'

/** The table of the kernel's packet filter that holds an isolated host's rules, and nothing else. */
export const isolationTable = 'inet logstack_isolation'

/** A server that stays within reach of an isolated host. */
export interface Reachable {
  readonly address: string
  readonly port: number
}

/** Whom an isolated host may still talk to. */
export interface IsolationRules {
  readonly servers: readonly Reachable[]
  /** Addresses or networks (`10.1.0.0/16`) that may talk to the host, and it to them. */
  readonly allow: readonly string[]
  /** Name servers, where a server is known by name only. */
  readonly resolvers: readonly string[]
}

/**
 * The rules as `nft -f` takes them: replaces those of before in one transaction. Both ways are cut for everybody else, connections that stand included,
 * and what the host forwards for its containers. Stays: loopback, DHCP, and finding neighbours and routers, without which no server can be reached.
 */
export function isolationRuleset({ servers, allow, resolvers }: IsolationRules): string {
  const input = [
    'iif "lo" accept',
    'udp sport 67 udp dport 68 accept',
    'udp sport 547 udp dport 546 accept',
    'icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert, nd-router-advert } accept',
    ...servers.map(
      ({ address, port }) => `${family(address)} saddr ${address} tcp sport ${port} ct state established accept`,
    ),
    ...resolvers.map(
      (address) =>
        `${family(address)} saddr ${address} meta l4proto { tcp, udp } th sport 53 ct state established accept`,
    ),
    ...allow.map((network) => `${family(network)} saddr ${network} accept`),
  ]
  const output = [
    'oif "lo" accept',
    'udp sport 68 udp dport 67 accept',
    'udp sport 546 udp dport 547 accept',
    'icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert, nd-router-solicit } accept',
    ...servers.map(({ address, port }) => `${family(address)} daddr ${address} tcp dport ${port} accept`),
    ...resolvers.map((address) => `${family(address)} daddr ${address} meta l4proto { tcp, udp } th dport 53 accept`),
    ...allow.map((network) => `${family(network)} daddr ${network} accept`),
  ]
  const chain = (name: string, rules: readonly string[]): string =>
    `  chain ${name} {\n    type filter hook ${name} priority -300; policy drop;\n${rules.map((rule) => `    ${rule}\n`).join('')}  }\n`
  // Made first, so that there is one to take away.
  return `table ${isolationTable}\ndelete table ${isolationTable}\ntable ${isolationTable} {\n${chain('input', input)}${chain('output', output)}${chain('forward', [])}}\n`
}

function family(network: string): 'ip' | 'ip6' {
  return isIP(network.split('/')[0] ?? '') === 6 ? 'ip6' : 'ip'
}
