/** Takes bytes of one TCP connection and gives back whole frames as text. */
export interface SyslogFramer {
  /** Frames completed by these bytes, in order. */
  push(bytes: Buffer): string[]
  /** What is left at the connection's end, when it is not empty. */
  end(): string[]
  /** Whether a message came that is no message: nothing that follows on the connection is read. */
  readonly isOverlong: boolean
}

/** So many pieces a message may have. */
export const framePiecesMax = 64

const digits = /^[1-9]\d{0,8}$/
const newline = 0x0a
const space = 0x20
/** Of a UTF-16 unit as UTF-8. */
const bytesPerCharacterMax = 3

/**
 * Frames of syslog over TCP (RFC 6587): octet counting (`83 <34>…`) when a frame starts with a digit, else lines; chosen for each frame, as
 * senders mix them. A frame longer than `frameBytesMax` is handed out in pieces of that size, never dropped and never kept whole; one of more than
 * `framePiecesMax` pieces makes the framer overlong: a line without an end would fill the store with its pieces.
 */
export function createFramer(options: { readonly frameBytesMax: number }): SyslogFramer {
  const { frameBytesMax } = options
  let pending: Buffer = Buffer.alloc(0)
  // Bytes of a counted frame still to come, when the frame is longer than the limit.
  let remaining = 0
  // Pieces of the line that goes on.
  let pieces = 0
  let isOverlong = false

  const counted = (): { length: number; start: number } | undefined => {
    const at = pending.subarray(0, 10).indexOf(space)
    const text = at < 1 ? '' : pending.toString('latin1', 0, at)
    return digits.test(text) ? { length: Number(text), start: at + 1 } : undefined
  }
  const take = (length: number, skip = 0): string => {
    const text = pending.toString('utf8', 0, length)
    pending = pending.subarray(length + skip)
    return text
  }
  const next = (): string | undefined => {
    if (remaining > 0) {
      const length = Math.min(remaining, frameBytesMax)
      if (pending.length < length) return undefined
      remaining -= length
      return take(length)
    }
    const frame = pieces > 0 ? undefined : counted()
    if (frame) {
      isOverlong = frame.length > frameBytesMax * framePiecesMax
      if (isOverlong) return undefined
      pending = pending.subarray(frame.start)
      remaining = frame.length
      return next()
    }
    const line = pending.indexOf(newline)
    if (line >= 0 && line <= frameBytesMax) {
      pieces = 0
      return take(line, 1)
    }
    if (line < 0 && pending.length <= frameBytesMax) return undefined
    pieces += 1
    isOverlong = pieces > framePiecesMax
    return isOverlong ? undefined : take(frameBytesMax)
  }
  const drain = (): string[] => {
    const whole = remaining > 0 || pieces > 0 ? undefined : plainLines(pending, frameBytesMax)
    const frames = whole?.lines ?? []
    if (whole) pending = pending.subarray(whole.end)
    for (let frame = next(); frame !== undefined; frame = next()) if (frame !== '') frames.push(frame)
    return frames
  }
  return {
    get isOverlong() {
      return isOverlong
    },
    push(bytes) {
      if (isOverlong) return []
      pending = pending.length === 0 ? bytes : Buffer.concat([pending, bytes])
      const frames = drain()
      if (isOverlong) pending = Buffer.alloc(0)
      return frames
    },
    end() {
      const rest = pending.toString('utf8')
      pending = Buffer.alloc(0)
      remaining = 0
      return rest === '' ? [] : [rest]
    },
  }
}

function isDigit(code: number | undefined): boolean {
  return code !== undefined && code >= 0x31 && code <= 0x39
}

/** All whole lines at once and where they end, where nothing but lines of a usual length stands. */
function plainLines(bytes: Buffer, frameBytesMax: number): { lines: string[]; end: number } | undefined {
  const end = isDigit(bytes[0]) ? -1 : bytes.lastIndexOf(newline)
  if (end < 0) return undefined
  const lines = bytes.toString('utf8', 0, end).split('\n')
  const arePlain = lines.every(
    (line) => line.length * bytesPerCharacterMax <= frameBytesMax && !isDigit(line.charCodeAt(0)),
  )
  return arePlain ? { lines: lines.filter((line) => line !== ''), end: end + 1 } : undefined
}
