import { z } from 'zod'
import { type Firewall, type Look, type Opening, ruleMark } from './firewall.ts'

const chainSchema = z.object({
  family: z.string(),
  table: z.string(),
  name: z.string(),
  hook: z.string().optional(),
  type: z.string().optional(),
  policy: z.string().optional(),
})
const ruleSchema = z.object({
  family: z.string(),
  table: z.string(),
  chain: z.string(),
  handle: z.number(),
  comment: z.string().optional(),
  expr: z.array(z.record(z.string(), z.unknown())).default([]),
})
const rulesetSchema = z.object({
  nftables: z.array(z.object({ chain: chainSchema.optional(), rule: ruleSchema.optional() })),
})

type Chain = z.infer<typeof chainSchema>
type Rule = z.infer<typeof ruleSchema>

interface Ruleset {
  readonly chains: readonly Chain[]
  readonly rules: readonly Rule[]
}

/** Tables that podman, firewalld and ufw keep themselves. */
const foreignTables = /^(netavark|firewalld|podman|docker)/

/**
 * Rules of one's own (`/etc/nftables.conf`). A packet must pass every base chain of its hook, so an own table could open nothing: our rules
 * go to the head of the chains that drop. Connections to published ports are forwarded with their destination rewritten (`ct status dnat`),
 * also on the way back.
 */
export const nftables: Firewall = {
  name: 'nftables',
  keepsRules: false,
  async isActive(look) {
    return droppingChains(await rulesetOf(look)).length > 0
  },
  async missing(opening, look) {
    const ruleset = await rulesetOf(look)
    return droppingChains(ruleset).flatMap((chain) =>
      rulesFor(chain, opening)
        .filter((rule) => !ruleset.rules.some((found) => isIn(found, chain) && found.comment === markOf(rule)))
        .map((rule) => ['nft', `insert rule ${placeOf(chain)} ${rule} accept comment "${markOf(rule)}"`]),
    )
  },
  async removal(_opening, look, kept) {
    const ruleset = await rulesetOf(look)
    const keptMarks = kept ? droppingChains(ruleset).flatMap((chain) => rulesFor(chain, kept).map(markOf)) : []
    return ruleset.rules
      .filter((rule) => rule.comment?.startsWith(`${ruleMark}: `) && !keptMarks.includes(rule.comment))
      .map(({ family, table, chain, handle }) => ['nft', 'delete', 'rule', family, table, chain, 'handle', `${handle}`])
  },
}

async function rulesetOf(look: Look): Promise<Ruleset> {
  const text = await look(['nft', '--json', 'list', 'ruleset'])
  if (text === undefined) return { chains: [], rules: [] }
  const { nftables: entries } = rulesetSchema.parse(JSON.parse(text))
  return {
    chains: entries.flatMap(({ chain }) => (chain ? [chain] : [])),
    rules: entries.flatMap(({ rule }) => (rule ? [rule] : [])),
  }
}

/** The base chains of other people's tables that let not everything through. */
function droppingChains({ chains, rules }: Ruleset): Chain[] {
  return chains.filter(
    (chain) =>
      chain.type === 'filter' &&
      (chain.hook === 'input' || chain.hook === 'forward') &&
      !foreignTables.test(chain.table) &&
      (chain.policy === 'drop' || rules.some((rule) => isIn(rule, chain) && drops(rule))),
  )
}

function drops({ expr }: Rule): boolean {
  return expr.some((statement) => 'drop' in statement || 'reject' in statement)
}

function isIn(rule: Rule, chain: Chain): boolean {
  return rule.family === chain.family && rule.table === chain.table && rule.chain === chain.name
}

function placeOf({ family, table, name }: Chain): string {
  return `${family} ${table} ${name}`
}

function rulesFor(chain: Chain, { ports, bridge }: Opening): string[] {
  const numbers = (protocol: string): string =>
    [...new Set(ports.filter((port) => port.protocol === protocol).map(({ port }) => port))]
      .sort((a, b) => a - b)
      .join(', ')
  const protocols = ['tcp', 'udp'].filter((protocol) => numbers(protocol) !== '')
  if (chain.hook === 'input') {
    return bridge === undefined
      ? protocols.map((protocol) => `${protocol} dport { ${numbers(protocol)} }`)
      : [`iifname "${bridge}" meta l4proto { tcp, udp } th dport 53`]
  }
  if (bridge === undefined) return []
  return [
    ...protocols.map(
      (protocol) => `ct status dnat meta l4proto ${protocol} ct original proto-dst { ${numbers(protocol)} }`,
    ),
    `iifname "${bridge}"`,
    `oifname "${bridge}" ct state established,related`,
  ]
}

// nft rewrites rules when it lists them; the comment keeps what was asked for, at most 128 characters.
function markOf(rule: string): string {
  return `${ruleMark}: ${rule.replaceAll('"', '')}`.slice(0, 127)
}
