import { AppError, platformErrors } from '@logstack/errors'
import type { Fields } from '../ecs/fields.ts'
import type { HttpRoute } from './http/route.ts'
import { RequestIntake } from './http/take-in.ts'

const datasetPattern = /^[a-z0-9_.]{1,100}$/

/**
 * Events as JSON: `POST /api/events/{dataset}` with one object, a list of them or one a line; `message` is decoded like every log line. Answers
 * `{"stored": n}` once search has them; nothing of the request is stored when it is refused.
 */
export const jsonRoute: HttpRoute = {
  name: 'json',
  add(app, services, senders) {
    const intake = new RequestIntake(services, 'json')
    app.post('/api/events/:dataset', async (request, reply) => {
      const { dataset } = request.params as { dataset: string }
      if (!datasetPattern.test(dataset))
        throw malformed('a dataset is lower-case letters, digits, dots and underscores')
      const bytes = await senders.read(request, reply, `logs-${dataset}-default`)
      const events = readObjects(bytes.toString('utf8'))
      const address = request.ip.replace(/^::ffff:/, '')
      await intake.store(
        events.map((event) => ({
          type: 'logs',
          dataset,
          fields: { log: { source: { address } }, host: { name: address }, ...event, message: messageOfEvent(event) },
        })),
      )
      return { stored: events.length }
    })
  },
}

function messageOfEvent(event: Fields): string {
  const { message } = event
  return typeof message === 'string' ? message : JSON.stringify(event)
}

function readObjects(text: string): Fields[] {
  const trimmed = text.trim()
  if (trimmed === '') throw malformed('the body is empty')
  if (trimmed.startsWith('[')) return objectsOf(parse(trimmed, 1))
  const lines = trimmed.split('\n')
  // An object may be printed over several lines.
  if (lines.length > 1 && !lines[0]?.trim().endsWith('}')) return objectsOf([parse(trimmed, 1)])
  return objectsOf(lines.flatMap((line, index) => (line.trim() === '' ? [] : [parse(line, index + 1)])))
}

function parse(text: string, line: number): unknown {
  try {
    return JSON.parse(text)
  } catch (thrown) {
    throw malformed(`line ${line} is no JSON`, thrown)
  }
}

function objectsOf(values: unknown): Fields[] {
  if (!Array.isArray(values)) throw malformed('expected objects')
  return values.map((value: unknown, index) => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
    throw malformed(`event ${index + 1} is no object`)
  })
}

function malformed(message: string, cause?: unknown): AppError {
  return new AppError(platformErrors.request_malformed, message, { cause })
}
