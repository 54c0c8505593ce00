import type { Firewall, Look } from './firewall.ts'
import { firewalld } from './firewalld.ts'
import { nftables } from './nftables.ts'
import { ufw } from './ufw.ts'

/** The firewalls that are known; those that keep rules in nftables themselves come first. */
const firewalls: readonly Firewall[] = [firewalld, ufw, nftables]

/** The firewall that filters on this host; undefined when none does. */
export async function activeFirewall(look: Look): Promise<Firewall | undefined> {
  for (const firewall of firewalls) if (await firewall.isActive(look)) return firewall
  return undefined
}
