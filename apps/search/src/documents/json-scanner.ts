import type { Value } from '@logstack/rules'
import { backslash, exactDigitsMax, numeric, plain, quote, wellFormedNumber } from './json-bytes.ts'

/** Thrown, without a stack, where a document is not what is read directly. */
export const closerLook = Object.freeze({ closerLook: true })

/** Steps through the bytes of a JSON text; what is not plain is left by throwing `closerLook`. */
export class JsonScanner {
  protected bytes: Buffer = Buffer.alloc(0)
  protected at = 0

  protected skipSpace(): void {
    const { bytes } = this
    for (let byte = bytes[this.at]; byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09; ) {
      this.at += 1
      byte = bytes[this.at]
    }
  }

  /** The byte after spaces. */
  protected next(): number {
    const byte = this.bytes[this.at] ?? 0
    if (byte > 0x20) return byte
    this.skipSpace()
    return this.bytes[this.at] ?? 0
  }

  /** Where a text stops being characters that stand for themselves. */
  protected plainEnd(from: number): number {
    const { bytes } = this
    let to = from
    while (plain[bytes[to] ?? 0] === 1) to += 1
    return to
  }

  protected word(text: 'null' | 'true' | 'false'): void {
    for (let at = 0; at < text.length; at += 1) if (this.bytes[this.at + at] !== text.charCodeAt(at)) throw closerLook
    this.at += text.length
  }

  /** A text with escapes or characters beyond ASCII. */
  protected text(): string {
    const { bytes } = this
    const from = this.at
    let to = from + 1
    let escaped = false
    for (let byte = bytes[to]; byte !== quote; byte = bytes[to]) {
      if (byte === undefined || byte < 0x20) throw closerLook
      if (byte === backslash) {
        escaped = true
        to += 1
      }
      to += 1
    }
    this.at = to + 1
    if (!escaped) return bytes.toString('utf8', from + 1, to)
    return String(JSON.parse(bytes.toString('utf8', from, to + 1)))
  }

  /** Any value but a list or an object, as `JSON.parse` would give it. */
  protected scalar(byte: number): Value | null {
    if (byte === quote) return this.text()
    if (byte === 0x6e) {
      this.word('null')
      return null
    }
    if (byte === 0x74) {
      this.word('true')
      return true
    }
    if (byte === 0x66) {
      this.word('false')
      return false
    }
    return this.number()
  }

  protected number(): number {
    const { bytes } = this
    const from = this.at
    let to = from
    let value = 0
    for (let digit = (bytes[to] ?? 0) - 0x30; digit >= 0 && digit <= 9; digit = (bytes[to] ?? 0) - 0x30) {
      value = value * 10 + digit
      to += 1
    }
    const isPlain = to > from && to - from <= exactDigitsMax && (to - from === 1 || bytes[from] !== 0x30)
    if (isPlain && numeric[bytes[to] ?? 0] === 0) {
      this.at = to
      return value
    }
    while (numeric[bytes[to] ?? 0] === 1) to += 1
    const text = bytes.toString('latin1', from, to)
    if (!wellFormedNumber.test(text) || /\d{16}/.test(text)) throw closerLook
    this.at = to
    return Number(text)
  }
}
