import { randomBytes } from 'node:crypto'

/** 64 characters in the order of their codes, so that ids sort as the numbers they stand for. */
const alphabet = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz'

function text(value: number, characters: number): string {
  let out = ''
  let rest = value
  for (let at = 0; at < characters; at += 1) {
    out = (alphabet[rest % 64] ?? '') + out
    rest = Math.floor(rest / 64)
  }
  return out
}

const counterEnd = 64 ** 4
const pairs = Array.from({ length: 64 ** 2 }, (_, value) => text(value, 2))

/** Ids for documents that come without one. */
export interface IdSource {
  next(): string
  /** Whether an id is of this source: nothing else than what it made since it began can be. */
  made(id: string): boolean
}

/**
 * Makes ids of 20 characters that sort by time: 8 of the clock in milliseconds, 4 of a counter, 8 that differ for every process. The clock
 * never goes back within a process, so ids never repeat and need no lookup.
 */
export function createIdSource(now: () => number): IdSource {
  const process = [...randomBytes(8)].map((byte) => alphabet[byte % 64] ?? '').join('')
  let time = 0
  let timeText = text(time, 8)
  let counter = 0
  const next = (): string => {
    const current = now()
    if (current > time) {
      time = current
      timeText = text(time, 8)
      counter = 0
    } else {
      counter += 1
      if (counter === counterEnd) {
        time += 1
        timeText = text(time, 8)
        counter = 0
      }
    }
    return `${timeText}${pairs[Math.floor(counter / 64 ** 2)]}${pairs[counter % 64 ** 2]}${process}`
  }
  return { next, made: (id) => id.length === 20 && id.endsWith(process) }
}
