import { AppError, agentsErrors } from '@logstack/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { limits } from '../limits.ts'

/** How many bytes there may be, and of one sender. */
export interface RoomLimits {
  readonly bytesMax: number
  readonly shareBytesMax: number
}

/**
 * Room for the bodies of requests that are not answered yet, in bytes as they come. It is taken by what a head announces, before anything of the body is
 * read; one sender has a share of it, so that a few whose bodies never end do not keep out all others.
 */
export class BodyRoom {
  readonly #limits: RoomLimits
  readonly #ofSender = new Map<string, number>()
  #bytes = 0

  constructor(limits: RoomLimits) {
    this.#limits = limits
  }

  /** Takes room until the answer is gone; throws `agent_limit_reached`. Call it once it is known who the sender is. */
  take(request: FastifyRequest, reply: FastifyReply, sender: string): void {
    reply.raw.once('close', this.enter(Number(request.headers['content-length'] ?? limits.bodyBytesMax), sender))
  }

  /** Takes room for so many bytes of a sender until the result is called; throws `agent_limit_reached`. */
  enter(bytes: number, sender: string): () => void {
    const own = this.#ofSender.get(sender) ?? 0
    const { bytesMax, shareBytesMax } = this.#limits
    if (this.#bytes > 0 && this.#bytes + bytes > bytesMax) throw tooMany()
    if (own > 0 && own + bytes > shareBytesMax) throw tooMany()
    this.#bytes += bytes
    this.#ofSender.set(sender, own + bytes)
    return () => {
      this.#bytes -= bytes
      const left = (this.#ofSender.get(sender) ?? 0) - bytes
      if (left > 0) this.#ofSender.set(sender, left)
      else this.#ofSender.delete(sender)
    }
  }
}

/** The error of who has to come again later. */
export function tooMany(): AppError {
  return new AppError(agentsErrors.agent_limit_reached, 'too many events at one time, try again later')
}
