/** How a file's bytes become lines. */
export interface LineEncoding {
  /** Bytes of the smallest unit: a line begins and is cut at a multiple of it. */
  readonly unit: 1 | 2
  /** Where the next line feed begins at or after `from`, counted from the start of `bytes`, which is a multiple of the unit in the file; -1 when there is none. */
  newline(bytes: Buffer, from: number): number
  decode(bytes: Buffer): string
}

const names = {
  'utf-8': 1,
  latin1: 1,
  'windows-1252': 1,
  'utf-16le': 2,
  'utf-16be': 2,
} as const

/** The encodings that a stream may name. */
export const encodingNames = Object.keys(names)

function isName(name: string): name is keyof typeof names {
  return Object.hasOwn(names, name)
}

/** The encoding of a name; undefined for one that there is not. What is no text of it becomes U+FFFD; a byte order mark is none of the text. */
export function encodingOf(name: string): LineEncoding | undefined {
  if (!isName(name)) return undefined
  if (name === 'utf-8') {
    const newline: LineEncoding['newline'] = (bytes, from) => bytes.indexOf(0x0a, from)
    return { unit: 1, newline, decode: (bytes) => bytes.toString('utf8').replace(/^\uFEFF/, '') }
  }
  if (name === 'latin1' || name === 'windows-1252') {
    const newline: LineEncoding['newline'] = (bytes, from) => bytes.indexOf(0x0a, from)
    const latin1 = (bytes: Buffer): string => bytes.toString('latin1')
    return { unit: 1, newline, decode: name === 'latin1' ? latin1 : (bytes) => asWindows(latin1(bytes)) }
  }
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
  }
}

// What windows-1252 has in the place of latin1's control characters (https://encoding.spec.whatwg.org/index-windows-1252.txt). Node 20's own decoder takes it for latin1.
const windowsOnly = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

function asWindows(text: string): string {
  return text.replace(/[\x80-\x9f]/g, (character) => windowsOnly[character.charCodeAt(0) - 0x80] ?? character)
}
