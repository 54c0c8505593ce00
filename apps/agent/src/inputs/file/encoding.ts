/** How a file's bytes become lines. */
export interface LineEncoding {
  /** Bytes of the smallest unit: a line begins and is cut at a multiple of it. */
  readonly unit: 1 | 2
  /** Where the next line feed begins at or after `from`, counted from the start of `bytes`, which is a multiple of the unit in the file; -1 when there is none. */
  newline(bytes: Buffer, from: number): number
  decode(bytes: Buffer): string
  /** The last place at or before `end` where no character is cut in halves. */
  boundary(bytes: Buffer, end: number): number
}

/** The encodings that a stream may name. */
export const encodingNames = ['utf-8', 'latin1', 'windows-1252', 'utf-16le', 'utf-16be'] as const

function ofBytes(decode: LineEncoding['decode']): LineEncoding {
  return { unit: 1, newline: (bytes, from) => bytes.indexOf(0x0a, from), decode, boundary: (_bytes, end) => end }
}

const continuationBytesMax = 3

function utf8Boundary(bytes: Buffer, end: number): number {
  for (let at = end; at >= end - continuationBytesMax; at -= 1) if (((bytes[at] ?? 0) & 0xc0) !== 0x80) return at
  return end
}

/** A byte order mark is none of the text. */
export const utf8: LineEncoding = {
  ...ofBytes((bytes) => bytes.toString('utf8').replace(/^\uFEFF/, '')),
  boundary: utf8Boundary,
}
const latin1 = ofBytes((bytes) => bytes.toString('latin1'))
const windows1252 = ofBytes((bytes) => asWindows(latin1.decode(bytes)))

/** The encoding of a name. What is no text of it becomes U+FFFD. */
export function encodingOf(name: (typeof encodingNames)[number]): LineEncoding {
  if (name === 'utf-8') return utf8
  if (name === 'latin1') return latin1
  if (name === 'windows-1252') return windows1252
  const decoder = new TextDecoder(name)
  const lineFeed = Buffer.from(name === 'utf-16le' ? [0x0a, 0x00] : [0x00, 0x0a])
  return {
    unit: 2,
    newline(bytes, from) {
      // Half of one character and half of the next may look like a line feed.
      let at = bytes.indexOf(lineFeed, from)
      while (at >= 0 && at % 2 !== 0) at = bytes.indexOf(lineFeed, at + 1)
      return at
    },
    decode: (bytes) => decoder.decode(bytes),
    boundary: (_bytes, end) => end,
  }
}

// What windows-1252 has in the place of latin1's control characters (https://encoding.spec.whatwg.org/index-windows-1252.txt). Node 20's own decoder takes it for latin1.
const windowsOnly = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

function asWindows(text: string): string {
  return text.replace(/[\x80-\x9f]/g, (character) => windowsOnly[character.charCodeAt(0) - 0x80] ?? character)
}

/** The encoding that a file's first bytes say by a byte order mark which no UTF-8 begins with; undefined for any other file. */
export function markedEncoding(head: Buffer): LineEncoding | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return encodingOf('utf-16le')
  return head[0] === 0xfe && head[1] === 0xff ? encodingOf('utf-16be') : undefined
}
