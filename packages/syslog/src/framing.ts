/** Takes bytes of one TCP connection and gives back whole frames as text. */
export interface SyslogFramer {
  /** Frames completed by these bytes, in order. */
  push(bytes: Buffer): string[]
  /** What is left at the connection's end, when it is not empty. */
  end(): string[]
}

const digits = /^[1-9]\d{0,8}$/
const newline = 0x0a
const space = 0x20

/**
 * Frames of syslog over TCP (RFC 6587): octet counting (`83 <34>…`) when a frame starts with a digit, else lines; chosen for each frame, as
 * senders mix them. A frame longer than `frameBytesMax` is handed out in pieces of that size, never dropped and never kept whole.
 */
export function createFramer(options: { readonly frameBytesMax: number }): SyslogFramer {
  const { frameBytesMax } = options
  let pending: Buffer = Buffer.alloc(0)
  // Bytes of a counted frame still to come, when the frame is longer than the limit.
  let remaining = 0

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
    const frame = counted()
    if (frame) {
      pending = pending.subarray(frame.start)
      remaining = frame.length
      return next()
    }
    const line = pending.indexOf(newline)
    if (line >= 0 && line <= frameBytesMax) return take(line, 1)
    if (line < 0 && pending.length <= frameBytesMax) return undefined
    return take(frameBytesMax)
  }
  const drain = (): string[] => {
    const frames: string[] = []
    for (let frame = next(); frame !== undefined; frame = next()) if (frame !== '') frames.push(frame)
    return frames
  }
  return {
    push(bytes) {
      pending = pending.length === 0 ? bytes : Buffer.concat([pending, bytes])
      return drain()
    },
    end() {
      const rest = pending.toString('utf8')
      pending = Buffer.alloc(0)
      remaining = 0
      return rest === '' ? [] : [rest]
    },
  }
}
