import { AppError, searchErrors } from '@logstack/errors'

/** An event that is known by its place; its document is read when it is shown. */
export interface EventRef {
  readonly index: string
  readonly id: string
  readonly timeMs: number
}

/** An event and which filters find it, each with the values of its join keys there. */
export interface FoundEvent {
  readonly event: EventRef
  readonly filters: ReadonlyMap<number, JoinKey>
}

/** The values of join keys, and one text for all of them that no other values have. */
export interface JoinKey {
  readonly text: string
  readonly values: readonly unknown[]
}

/** Events that belong together; an event that must be missing is undefined. */
export interface EventGroup {
  readonly key: JoinKey
  readonly events: readonly (EventRef | undefined)[]
}

/** Bytes that events may take while it is not known yet whether they become part of a sequence or sample. */
export const pendingBytesMax = 64 * 1024 ** 2
const objectBytes = 160
const letterBytes = 2

/** Bytes that an event takes, about. */
export function bytesOfEvent({ id }: EventRef): number {
  return objectBytes + id.length * letterBytes
}

/** Bytes that a key takes, about: of its text and its values. */
export function bytesOfKey({ text }: JoinKey): number {
  return objectBytes + text.length * letterBytes * 2
}

/** The error of a query that holds more events than it may. */
export function tooManyPending(bytesMax: number): AppError {
  return new AppError(
    searchErrors.circuit_breaking_exception,
    `[eql_sequence] Data too large, events that wait for others would take more than the limit of [${bytesMax}] bytes; use a shorter [maxspan] or a narrower filter`,
    { detail: { bytes_limit: bytesMax, durability: 'TRANSIENT' } },
  )
}
