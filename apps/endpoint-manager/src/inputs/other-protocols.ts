import type { Socket } from 'node:net'
import type { TakeOther } from '@logstack/http-server'

/** Protocols that share the port of the agents' HTTPS, each known by the first bytes of its connections. */
export class OtherProtocols {
  readonly #takers: TakeOther[] = []

  /** Has `take` asked about connections; it says whether it takes one. */
  add(take: TakeOther): void {
    this.#takers.push(take)
  }

  /** Whether one of them takes the connection. */
  readonly take = (first: Buffer, socket: Socket): boolean => this.#takers.some((each) => each(first, socket))
}
