import type { FastifyInstance } from 'fastify'
import type { InputServices } from '../input.ts'
import type { Senders } from './senders.ts'

/** An input that is a path of the HTTPS server the agents use too. */
export interface HttpRoute {
  readonly name: string
  add(app: FastifyInstance, services: InputServices, senders: Senders): void
}
