import { type WazuhAgent, wazuhAgentIdSchema, wazuhAgentSchema } from '@logstack/contracts'

/** An agent as a line of `client.keys` has it. */
export interface KeyEntry extends Pick<WazuhAgent, 'name' | 'ip' | 'key'> {
  /** Counted from 1. */
  readonly line: number
  readonly id: string
}

/** A line that is not taken, and why. The reason quotes nothing of a line that cannot be read: any of its words may be the key. */
export interface RefusedLine {
  readonly line: number
  readonly why: string
}

/** What is in a `client.keys`. */
export interface ReadKeys {
  readonly entries: readonly KeyEntry[]
  readonly refused: readonly RefusedLine[]
  /** Lines of agents that were removed from the old server, and comments. */
  readonly removed: number
}

const keySchema = wazuhAgentSchema.pick({ key: true, name: true, ip: true })

/** Reads the text of a `client.keys`: `ID NAME IP KEY` a line. Each id and each name counts once, where it stands first. */
export function readClientKeys(text: string): ReadKeys {
  const entries: KeyEntry[] = []
  const refused: RefusedLine[] = []
  const firstLines = new Map<string, number>()
  let removed = 0
  for (const [at, content] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    const line = at + 1
    if (content.trim() === '') continue
    if (isRemoved(content)) {
      removed += 1
      continue
    }
    const read = readLine(content)
    if (typeof read === 'string') {
      refused.push({ line, why: read })
      continue
    }
    const twice = [`id ${read.id}`, `name ${read.name}`].find((owned) => firstLines.has(owned))
    if (twice !== undefined) {
      refused.push({ line, why: `${twice} stands on line ${firstLines.get(twice)} already` })
      continue
    }
    firstLines.set(`id ${read.id}`, line).set(`name ${read.name}`, line)
    entries.push({ line, ...read })
  }
  return { entries, refused, removed }
}

/** Wazuh reads no agent of a line that begins with `#`, `!` or a space, nor of one whose name begins with `#` or `!`. */
function isRemoved(content: string): boolean {
  return /^[#! ]|^\S+\s+[#!]/.test(content)
}

function readLine(content: string): Omit<KeyEntry, 'line'> | string {
  const [id = '', name = '', source = '', ...rest] = content.trim().split(/\s+/)
  if (rest.length !== 1) return 'expected ID NAME IP KEY'
  const idRead = wazuhAgentIdSchema.safeParse(id)
  if (!idRead.success) return `the id: ${idRead.error.issues[0]?.message}`
  const ip = withPrefixLength(source)
  const read = keySchema.safeParse({ name, ip, key: rest[0] })
  if (read.success) return { id, ...read.data }
  const reasons = {
    name: 'the name: expected 2 to 128 letters, digits, ., _ or -',
    ip: 'the address: expected any, an address or a network',
    key: 'the key: expected 8 to 256 printable characters',
  }
  const wrong = read.error.issues[0]?.path[0]
  return `agent ${id}, ${reasons[wrong as keyof typeof reasons]}`
}

/** `10.0.0.0/255.255.255.0` as `10.0.0.0/24`; anything else, and a mask with holes, as it is. */
function withPrefixLength(source: string): string {
  const [, address, ...bytes] = /^([\d.]+)\/(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(source) ?? []
  if (address === undefined || bytes.some((byte) => Number(byte) > 255)) return source
  const bits = bytes.map((byte) => Number(byte).toString(2).padStart(8, '0')).join('')
  const length = /^1*(?=0*$)/.exec(bits)?.[0].length
  return length === undefined ? source : `${address}/${length}`
}
