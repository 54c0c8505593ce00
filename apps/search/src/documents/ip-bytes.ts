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
