import { limits } from '../limits.ts'
import { BodyRoom } from './body-room.ts'

const stepBytes = 64 * 1024

/**
 * Room for what all connections of one input keep of messages that are not taken yet: anybody who reaches the port may begin a thousand large ones. One
 * address, which may be a collector's that sends for many, has half of it, but always that of one message of `messageBytesMax`.
 */
export function unfinishedRoom(messageBytesMax: () => number): BodyRoom {
  const shareBytesMax = (): number => Math.max(limits.unfinishedBytesMax / 2, messageBytesMax() + stepBytes)
  return new BodyRoom({
    get shareBytesMax() {
      return shareBytesMax()
    },
    get bytesMax() {
      return 2 * shareBytesMax()
    },
  })
}

/** What one connection keeps. Its first 64 KiB cost no room: messages of usual length are taken whatever others do. */
export class Unfinished {
  readonly #room: BodyRoom
  readonly #sender: string
  #held = 0
  #leave: (() => void)[] = []

  constructor(room: BodyRoom, sender: string) {
    this.#room = room
    this.#sender = sender
  }

  /** The connection keeps so many bytes now; throws `agent_limit_reached` where there is no room for them. */
  keep(bytes: number): void {
    const wanted = bytes <= stepBytes ? 0 : Math.ceil(bytes / stepBytes) * stepBytes
    if (wanted < this.#held) {
      for (const leave of this.#leave) leave()
      this.#leave = []
      this.#held = 0
    }
    if (wanted === this.#held) return
    this.#leave.push(this.#room.enter(wanted - this.#held, this.#sender))
    this.#held = wanted
  }
}
