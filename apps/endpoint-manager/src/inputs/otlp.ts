import { AppError, messageOf, platformErrors } from '@logstack/errors'
import type { HttpRoute } from './http/route.ts'
import { RequestIntake } from './http/take-in.ts'
import type { LogRecord } from './otlp/log-records.ts'
import { otlpEvent } from './otlp/otlp-event.ts'
import { readJson } from './otlp/read-json.ts'
import { readProtobuf } from './otlp/read-protobuf.ts'

const stream = 'logs-otlp-default'

/** OpenTelemetry's logs over HTTP (OTLP 1.x, protobuf and JSON, gzip): `POST /v1/logs`, answered once search has all records. */
export const otlpRoute: HttpRoute = {
  name: 'otlp',
  add(app, services, senders) {
    const intake = new RequestIntake(services, 'otlp')
    app.post('/v1/logs', async (request, reply) => {
      const bytes = await senders.read(request, reply, stream)
      const type = request.headers['content-type']?.split(';')[0]?.trim()
      const records = read(bytes, type)
      await intake.store(records.map((record) => otlpEvent(record, request.ip)))
      // The answer has the request's own encoding; an empty one says that nothing was rejected.
      return type === 'application/json'
        ? reply.type('application/json').send({})
        : reply.type('application/x-protobuf').send(Buffer.alloc(0))
    })
  },
}

function read(bytes: Buffer, type: string | undefined): LogRecord[] {
  if (type !== 'application/json' && type !== 'application/x-protobuf') {
    throw new AppError(
      platformErrors.request_malformed,
      'the content type is neither application/x-protobuf nor application/json',
    )
  }
  try {
    return type === 'application/json' ? readJson(bytes) : readProtobuf(bytes)
  } catch (thrown) {
    throw new AppError(platformErrors.request_malformed, `no OTLP logs: ${messageOf(thrown)}`, { cause: thrown })
  }
}
