/** Addresses as numbers of 128 bits, IPv4 as its IPv4-mapped IPv6 address, so that both kinds order and compare as in Lucene's points. */
const mappedPrefix = 0xffffn << 32n

/** Reads an IPv4 or IPv6 address; undefined when it is neither. */
export function parseIp(text: string): bigint | undefined {
  if (text.includes(':')) return parseIpv6(text)
  const ipv4 = parseIpv4(text)
  return ipv4 === undefined ? undefined : mappedPrefix | ipv4
}

function parseIpv4(text: string): bigint | undefined {
  const parts = text.split('.')
  if (parts.length !== 4) return undefined
  let value = 0n
  for (const part of parts) {
    if (!/^(?:0|[1-9]\d{0,2})$/u.test(part) || Number(part) > 255) return undefined
    value = (value << 8n) | BigInt(part)
  }
  return value
}

function parseIpv6(text: string): bigint | undefined {
  let address = text
  const lastColon = text.lastIndexOf(':')
  if (text.includes('.', lastColon)) {
    const tail = parseIpv4(text.slice(lastColon + 1))
    if (tail === undefined) return undefined
    address = `${text.slice(0, lastColon + 1)}${(tail >> 16n).toString(16)}:${(tail & 0xffffn).toString(16)}`
  }
  const halves = address.split('::')
  if (halves.length > 2) return undefined
  const [head = [], tail = []] = halves.map((half) => (half === '' ? [] : half.split(':')))
  const missing = 8 - head.length - tail.length
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined
  const groups = halves.length === 1 ? head : [...head, ...Array<string>(missing).fill('0'), ...tail]
  let value = 0n
  for (const group of groups) {
    if (!/^[0-9a-fA-F]{1,4}$/u.test(group)) return undefined
    value = (value << 16n) | BigInt(`0x${group}`)
  }
  return value
}

/** The canonical text (RFC 5952); IPv4-mapped addresses as dotted IPv4. */
export function formatIp(value: bigint): string {
  if (value >> 32n === 0xffffn) return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 0xffn)).join('.')
  const groups = Array.from({ length: 8 }, (_, at) => Number((value >> BigInt(112 - at * 16)) & 0xffffn))
  let best = { at: -1, length: 1 }
  for (let at = 0; at < 8; at++) {
    let length = 0
    while (groups[at + length] === 0) length++
    if (length > best.length) best = { at, length }
  }
  const hex = (part: readonly number[]) => part.map((group) => group.toString(16)).join(':')
  if (best.at < 0) return hex(groups)
  return `${hex(groups.slice(0, best.at))}::${hex(groups.slice(best.at + best.length))}`
}

/** First and last address of a CIDR block such as `10.0.0.0/8`; undefined when it is none. */
export function cidrBounds(text: string): { readonly first: string; readonly last: string } | undefined {
  const slash = text.indexOf('/')
  if (slash < 0) return undefined
  const address = parseIp(text.slice(0, slash))
  const bits = text.slice(slash + 1)
  const width = text.includes(':') ? 128 : 32
  if (address === undefined || !/^\d{1,3}$/u.test(bits) || Number(bits) > width) return undefined
  const hostMask = (1n << BigInt(width - Number(bits))) - 1n
  return { first: formatIp(address & ~hostMask), last: formatIp(address | hostMask) }
}
