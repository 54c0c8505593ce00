import { cidrBounds, parseIp } from '@logstack/rules'

/** What a database is made of: its type, and a record for each network. */
export interface MmdbContent {
  readonly type: string
  readonly networks: Readonly<Record<string, unknown>>
}

type Node = [left: Child, right: Child]
type Child = Node | number | undefined

const separator = Buffer.alloc(16)
const marker = Buffer.from('abcdef4d61784d696e642e636f6d', 'hex')

/** Writes a database in MaxMind's form (specification 2.0, records of 32 bits, IPv6 tree): small ones, for tests. */
export function writeMmdb({ type, networks }: MmdbContent): Buffer {
  const root: Node = [undefined, undefined]
  const records: Buffer[] = []
  let bytes = 0
  for (const [network, record] of Object.entries(networks)) {
    const encoded = encode(record)
    put(root, network, bytes)
    records.push(encoded)
    bytes += encoded.length
  }
  const nodes = flat(root)
  const numbers = new Map(nodes.map((node, at) => [node, at]))
  const tree = Buffer.alloc(nodes.length * 8)
  for (const [at, node] of nodes.entries()) {
    for (const [side, child] of node.entries()) {
      const value = typeof child === 'number' ? nodes.length + 16 + child : child ? numbers.get(child) : nodes.length
      tree.writeUInt32BE(value ?? 0, at * 8 + side * 4)
    }
  }
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_700_000_000,
    database_type: type,
    description: { en: 'a test' },
    ip_version: 6,
    languages: ['en'],
    node_count: nodes.length,
    record_size: 32,
  })
  return Buffer.concat([tree, separator, ...records, marker, metadata])
}

/** IPv4 stands in the first 96 zero bits. */
function put(root: Node, network: string, at: number): void {
  const [address = '', length = ''] = network.split('/')
  const isIpv4 = !address.includes(':')
  const first = parseIp(cidrBounds(network)?.first ?? '') ?? 0n
  const bits = isIpv4 ? first & 0xffff_ffffn : first
  const depth = Number(length) + (isIpv4 ? 96 : 0)
  let node = root
  for (let bit = 0; bit < depth; bit++) {
    const side = (bits >> BigInt(127 - bit)) & 1n ? 1 : 0
    if (bit === depth - 1) node[side] = at
    else {
      const child = node[side]
      const next: Node = Array.isArray(child) ? child : [undefined, undefined]
      node[side] = next
      node = next
    }
  }
}

function flat(root: Node): readonly Node[] {
  const nodes = [root]
  for (const node of nodes) nodes.push(...node.filter((child): child is Node => Array.isArray(child)))
  return nodes
}

function head(type: number, size: number): Buffer {
  const [control, more] = size < 29 ? [size, []] : [29, [size - 29]]
  return Buffer.from(type < 8 ? [(type << 5) | control, ...more] : [control, type - 7, ...more])
}

function encode(value: unknown): Buffer {
  if (typeof value === 'string') return Buffer.concat([head(2, Buffer.byteLength(value)), Buffer.from(value)])
  if (typeof value === 'boolean') return head(14, value ? 1 : 0)
  if (Array.isArray(value)) return Buffer.concat([head(11, value.length), ...value.map(encode)])
  if (typeof value === 'number') {
    const isWhole = Number.isInteger(value) && value >= 0
    const bytes = Buffer.alloc(isWhole ? 4 : 8)
    if (isWhole) bytes.writeUInt32BE(value)
    else bytes.writeDoubleBE(value)
    return Buffer.concat([isWhole ? head(6, 4) : head(3, 8), bytes])
  }
  const entries = Object.entries(value as Record<string, unknown>)
  return Buffer.concat([head(7, entries.length), ...entries.flatMap(([key, item]) => [encode(key), encode(item)])])
}
