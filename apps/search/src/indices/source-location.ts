/** Where something stands in a document's bytes: line and column from 1, the column in bytes, as Elasticsearch counts. */
export interface SourceLocation {
  readonly line: number
  readonly column: number
  /** Offset in bytes. */
  readonly offset: number
}

const quote = 0x22
const backslash = 0x5c

/** Steps from the root of a document to a value: keys of objects, positions in arrays. */
export type SourcePath = readonly (string | number)[]

/** Reads JSON that is known to be valid, without building values. */
class Scanner {
  private at = 0
  /** Where the last name on the way stands. */
  nameAt = 0
  private readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  /** Behind the value that was found last. */
  get end(): number {
    this.skipValue()
    return this.at
  }

  find(path: SourcePath): number | undefined {
    this.skipSpace()
    const step = path[0]
    if (step === undefined) return this.at
    const opener = this.bytes[this.at]
    if (opener === 0x7b && typeof step === 'string') return this.findKey(step, path)
    return opener === 0x5b && typeof step === 'number' ? this.findElement(step, path) : undefined
  }

  private findKey(key: string, path: SourcePath): number | undefined {
    this.at++
    for (;;) {
      this.skipSpace()
      if (this.bytes[this.at] !== quote) return undefined
      const start = this.at
      this.skipString()
      const name: unknown = JSON.parse(this.bytes.toString('utf8', start, this.at))
      if (name === key) this.nameAt = start
      this.skipSpace()
      this.at++
      if (name === key) return this.find(path.slice(1))
      this.skipValue()
      this.skipSpace()
      if (this.bytes[this.at++] !== 0x2c) return undefined
    }
  }

  private findElement(index: number, path: SourcePath): number | undefined {
    this.at++
    for (let skipped = 0; skipped < index; skipped++) {
      this.skipValue()
      this.skipSpace()
      if (this.bytes[this.at++] !== 0x2c) return undefined
    }
    return this.find(path.slice(1))
  }

  private skipSpace(): void {
    while ([0x20, 0x09, 0x0a, 0x0d].includes(this.bytes[this.at] ?? 0)) this.at++
  }

  private skipString(): void {
    this.at++
    while (this.at < this.bytes.length && this.bytes[this.at] !== quote)
      this.at += this.bytes[this.at] === backslash ? 2 : 1
    this.at++
  }

  private skipValue(): void {
    let depth = 0
    do {
      this.skipSpace()
      const byte = this.bytes[this.at]
      if (byte === quote) this.skipString()
      else {
        if (byte === 0x7b || byte === 0x5b) depth++
        if (byte === 0x7d || byte === 0x5d) depth--
        this.at++
        // A bare number or word ends where punctuation begins.
        if (depth === 0 && byte !== 0x7d && byte !== 0x5d) while (/[\w.+-]/.test(this.charHere())) this.at++
      }
    } while (depth > 0 && this.at < this.bytes.length)
  }

  private charHere(): string {
    return String.fromCharCode(this.bytes[this.at] ?? 0)
  }
}

/** Finds the value at a path in valid JSON; undefined when it is not there. Slow: for error texts and first sights of a field only. */
export function locateValue(bytes: Buffer, path: SourcePath): SourceLocation | undefined {
  const offset = new Scanner(bytes).find(path)
  return offset === undefined ? undefined : locationOf(bytes, offset)
}

/** Where the name before a value stands, the end of the value, and the value as it is written; undefined when it is not there. */
export function describeValue(
  bytes: Buffer,
  path: SourcePath,
): { readonly name: SourceLocation; readonly end: SourceLocation; readonly text: string } | undefined {
  const scanner = new Scanner(bytes)
  const offset = scanner.find(path)
  if (offset === undefined) return undefined
  const { end } = scanner
  return {
    name: locationOf(bytes, scanner.nameAt),
    end: locationOf(bytes, end),
    text: bytes.toString('utf8', offset, end),
  }
}

function locationOf(bytes: Buffer, offset: number): SourceLocation {
  const before = bytes.subarray(0, offset)
  let line = 1
  for (const byte of before) if (byte === 0x0a) line++
  return { line, column: offset - before.lastIndexOf(0x0a), offset }
}

/** Whether the number at a path is written as a decimal (`1.0`, `1e3`), which its value does not show any more. */
export function isWrittenAsDecimal(bytes: Buffer, path: SourcePath): boolean {
  const location = locateValue(bytes, path)
  if (location === undefined) return false
  const text = bytes.toString('latin1', location.offset, location.offset + 64)
  return /^-?\d+[.eE]/.test(text)
}
