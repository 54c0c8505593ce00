import type { FastifyRequest } from 'fastify'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { readBody } from './define-route.ts'

it('a body is let go once it was read', async () => {
  const request = { body: Buffer.from('{"a":1}'), headers: {} } as FastifyRequest
  expect(await readBody(request, z.object({ a: z.number() }))).toEqual({ a: 1 })
  expect(request.body).toBeUndefined()
})
