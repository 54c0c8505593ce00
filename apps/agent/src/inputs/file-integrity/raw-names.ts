/** Stands before the two digits of a byte: no name can hold it. */
const mark = '\0'
const markedByte = /\0([0-9a-f]{2})/g

/**
 * The name of a file as text. Names are bytes, and not all are UTF-8: what is hidden behind such a name must be found, too. Of these each byte beyond ASCII is kept by
 * its digits, so that no two names are the same text.
 */
export function nameOf(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  if (!text.includes('\ufffd') || Buffer.from(text).equals(bytes)) return text
  return [...bytes].map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : mark + byte.toString(16))).join('')
}

/** A path of such names as the system takes it. */
export function onDisk(path: string): string | Buffer {
  if (!path.includes(mark)) return path
  const parts = path.split(markedByte)
  return Buffer.concat(parts.map((part, at) => Buffer.from(part, at % 2 === 1 ? 'hex' : 'utf8')))
}

/** A path of such names as people read it: `\xNN` for each such byte, as their tools show it. */
export function shownPath(path: string): string {
  return path.replace(markedByte, '\\x$1')
}
