import { readBody } from '@logstack/http-server'
import type { SearchClient } from '@logstack/search-client'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { limits } from '../../limits.ts'
import { BodyRoom } from '../body-room.ts'
import { SenderRights } from './sender-rights.ts'

/** Who sends events over HTTPS without being an agent. They have room of their own, so that agents never wait for them. */
export class Senders {
  readonly #rights: SenderRights
  /** An address may be a collector's that sends for many. */
  readonly #room = new BodyRoom({ bytesMax: limits.waitingBytesMax, shareBytesMax: limits.waitingBytesMax / 2 })

  /** `now` only goes on, in milliseconds, whatever happens to the clock. */
  constructor(search: SearchClient, now: () => number) {
    this.#rights = new SenderRights(search, now)
  }

  /**
   * The body of a request, unpacked, of a sender who may create documents in `stream`. Nothing of it is read before that is known and there is room; throws
   * `sender_unauthenticated`, `sender_forbidden`, `agent_limit_reached`.
   */
  async read(request: FastifyRequest, reply: FastifyReply, stream: string): Promise<Buffer> {
    await this.#rights.require(request.headers.authorization, stream)
    this.#room.take(request, reply, request.ip)
    return readBody(request, { bytesMax: limits.bodyBytesMax, unpackedBytesMax: limits.unpackedBytesMax })
  }
}
