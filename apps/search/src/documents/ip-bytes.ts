import { isIPv4 } from 'node:net'

/** The 16 bytes of an address in its canonical text; an IPv4 address lies in `::ffff:0:0/96`. The text must be an address. */
export function ipBytes(address: string): Buffer {
  const bytes = Buffer.alloc(16)
  if (isIPv4(address)) {
    bytes.writeUInt16BE(0xffff, 10)
    writeIpv4(bytes, 12, address)
    return bytes
  }
  const [head = '', tail] = address.split('::')
  writeGroups(bytes, 0, groupsOf(head))
  if (tail === undefined) return bytes
  const last = groupsOf(tail)
  const width = last.reduce((sum, group) => sum + (group.includes('.') ? 4 : 2), 0)
  writeGroups(bytes, 16 - width, last)
  return bytes
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':')
}

function writeGroups(bytes: Buffer, at: number, groups: readonly string[]): void {
  let offset = at
  for (const group of groups) {
    if (group.includes('.')) {
      writeIpv4(bytes, offset, group)
      offset += 4
    } else {
      bytes.writeUInt16BE(Number.parseInt(group, 16), offset)
      offset += 2
    }
  }
}

function writeIpv4(bytes: Buffer, at: number, address: string): void {
  for (const [place, part] of address.split('.').entries()) bytes[at + place] = Number(part)
}

const dot = 0x2e
const zero = 0x30

/** An IPv4 address in the bytes from `from` up to `to` as a number below 2^32; -1 for every other text, addresses of other forms included. */
export function ipv4OfBytes(bytes: Uint8Array, from: number, to: number): number {
  let address = 0
  let at = from
  for (let parts = 1; parts <= 4; parts += 1) {
    const end = digitsEnd(bytes, at, to)
    const part = end - at === 0 || end - at > 3 ? -1 : numberOf(bytes, at, end)
    if (part < 0 || part > 255) return -1
    address = address * 256 + part
    if (parts < 4 && bytes[end] !== dot) return -1
    at = end + 1
  }
  return at === to + 1 ? address : -1
}

function digitsEnd(bytes: Uint8Array, from: number, to: number): number {
  let end = from
  while (end < to && (bytes[end] ?? 0) >= zero && (bytes[end] ?? 0) <= zero + 9) end += 1
  return end
}

/** -1 where a zero leads: that might have been meant in octal. */
function numberOf(bytes: Uint8Array, from: number, to: number): number {
  if (to - from > 1 && bytes[from] === zero) return -1
  let value = 0
  for (let at = from; at < to; at += 1) value = value * 10 + (bytes[at] ?? 0) - zero
  return value
}
