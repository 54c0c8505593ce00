import { writeSync } from 'node:fs'
import type { DestinationStream } from 'pino'

/** How long one line may wait for a reader that does not keep up, before it is dropped. */
const patience = { waitMs: 5, triesMax: 100 } as const
const outOfBand = new Int32Array(new SharedArrayBuffer(4))

/**
 * Standard output as a destination of lines, written at once. A reader that went away must neither end a part nor keep it from ending
 * (pino's own destination tries for ever then), so lines are dropped from that moment on.
 */
export function standardOutput(
  write: (bytes: Uint8Array) => number = (bytes) => writeSync(1, bytes),
): DestinationStream {
  let isBroken = false
  return {
    write(line) {
      if (isBroken) return
      let rest: Uint8Array = Buffer.from(line, 'utf8')
      for (let tries = 0; rest.length > 0 && tries < patience.triesMax; tries++) {
        try {
          rest = rest.subarray(write(rest))
        } catch (thrown) {
          const { code } = thrown as NodeJS.ErrnoException
          if (code === 'EAGAIN' || code === 'EBUSY') Atomics.wait(outOfBand, 0, 0, patience.waitMs)
          else if (code === undefined) throw thrown
          else {
            isBroken = true
            return
          }
        }
      }
    },
  }
}
