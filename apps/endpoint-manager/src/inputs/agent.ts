import { readFileSync } from 'node:fs'
import { STATUS_CODES } from 'node:http'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import {
  type AgentApiError,
  agentApiPaths,
  agentIdSchema,
  agentIndices,
  type EventsResponse,
} from '@logstack/contracts'
import { AppError, agentsErrors, errorKinds, isAppError, messageOf, platformErrors } from '@logstack/errors'
import {
  createServer,
  inflateBody,
  readPackedBody,
  replaceCertificate,
  type ServerOptions,
} from '@logstack/http-server'
import { type PartEnvironment, readCertificates } from '@logstack/part'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { buildDocument } from '../documents/build-document.ts'
import { documentId } from '../documents/document-id.ts'
import type { Fields } from '../ecs/fields.ts'
import { limits } from '../limits.ts'
import type { OutputDocument } from '../outputs/search-output.ts'
import { AgentList } from './agent/agent-list.ts'
import { type EventsBatch, readEventsBatch } from './agent/events-batch.ts'
import { Intake } from './agent/intake.ts'
import { BodyRoom } from './body-room.ts'
import { httpRoutes } from './http/registry.ts'
import { Senders } from './http/senders.ts'
import type { Input, InputServices } from './input.ts'
import { syslogEvent } from './syslog/syslog-event.ts'

const part = 'endpoint-manager'
const retryAfterSeconds = '1'

/**
 * Events of agents: HTTPS with client certificates, `POST /api/agents/{id}/events`. The answer comes after search acknowledged every event; a
 * repeated batch gives the same documents. Too many events at one time are 429, a search that takes none is 503: the agent keeps them.
 */
export const agentInput: Input = {
  name: 'agent',
  async start(services) {
    const { environment, logger } = services
    const { listen } = environment
    if (!listen)
      throw new AppError(platformErrors.environment_missing, 'environment variable LOGSTACK_LISTEN is not set')
    const app = createServer({
      tls: readTls(environment),
      logger,
      bodyBytesMax: limits.bodyBytesMax,
      requestTimeoutMs: limits.requestTimeoutMs,
      leavesBodies: true,
      takeOther: services.otherProtocols.take,
    })
    addRoutes(app, services)
    const senders = new Senders(services.search, () => performance.now())
    for (const route of httpRoutes) route.add(app, services, senders)
    await app.listen({ host: listen.host, port: listen.port })
    return {
      stop: () => app.close(),
      reload: () => replaceCertificate(app, readTls(environment)),
    }
  },
}

/** Only the agents' own authority is trusted for clients: other parts' certificates are none of an agent. */
function readTls(environment: PartEnvironment): ServerOptions['tls'] {
  const { cert, key } = readCertificates(environment, part)
  const path = join(environment.certsDir, 'agents-ca.crt')
  try {
    return { cert, key, ca: readFileSync(path, 'utf8'), requestClientCertificate: true }
  } catch (thrown) {
    throw new AppError(platformErrors.environment_missing, `cannot read the agents' authority at ${path}`, {
      cause: thrown,
      fix: './logstack verify',
    })
  }
}

function addRoutes(app: FastifyInstance, services: InputServices): void {
  const { logger, search } = services
  const agents = new AgentList(search, agentIndices.agents.name, () => performance.now())
  const intake = new Intake(() => services.settings.get('agent.events_in_flight_max'))
  // An agent sends one body after the other.
  const room = new BodyRoom({ bytesMax: limits.waitingBytesMax, shareBytesMax: limits.bodyBytesMax })
  app.post(agentApiPaths.events, async (request, reply): Promise<EventsResponse> => {
    const { id } = request.params as { id: string }
    // Before the body is read: what is refused must cost nothing.
    requireCertificate(request)
    room.take(request, reply, id)
    await agents.requireActive(id)
    const { batch, done } = await intake.take(await readBatch(request, id))
    try {
      return await takeIn(batch, services)
    } finally {
      done()
    }
  })
  app.get(agentApiPaths.status, async () => ({ name: part, status: 'HEALTHY' }))
  app.setErrorHandler((thrown, _request, reply) => {
    const error = renderError(thrown)
    logger[error.statusCode >= 500 && error.statusCode !== 503 ? 'error' : 'info']({ err: thrown }, error.message)
    if (error.statusCode === 429 || error.statusCode === 503) void reply.header('retry-after', retryAfterSeconds)
    void reply.code(error.statusCode).send(error)
  })
}

/** Reads the body as it comes, and answers what unpacks and reads it; then the packed one is gone. */
async function readBatch(request: FastifyRequest, id: string): Promise<() => Promise<EventsBatch>> {
  let packed = await readPackedBody(request, limits.bodyBytesMax)
  return async () => {
    const bytes = await inflateBody(packed, request.headers['content-encoding'], limits.unpackedBytesMax)
    packed = Buffer.alloc(0)
    return readEventsBatch(bytes, id)
  }
}

/** Throws unless the agent's id is proved by the client certificate's common name. */
function requireCertificate(request: FastifyRequest): void {
  const socket = request.raw.socket as TLSSocket
  const { id } = request.params as { id: string }
  const name = socket.authorized ? socket.getPeerCertificate().subject?.CN : undefined
  if (name === id && agentIdSchema.safeParse(id).success) return
  throw new AppError(agentsErrors.agent_certificate_invalid, 'this needs the client certificate of the agent')
}

async function takeIn(batch: EventsBatch, services: InputServices): Promise<EventsResponse> {
  const { output, counts, now } = services
  const { header } = batch
  if (header.sent !== undefined) counts.heard(hostName(header), header.sent - now())
  await output.write(documentsOf(batch, services))
  return { acknowledged: (batch.records.at(-1)?.offset ?? -1) + 1 }
}

function hostName({ agent, common }: EventsBatch['header']): string {
  const { name } = asObject(common?.['host'])
  return typeof name === 'string' ? name : agent.name
}

function documentsOf({ header, records }: EventsBatch, services: InputServices): OutputDocument[] {
  const { decoders, now, settings } = services
  const counter = `${header.agent.id}-${header.spool}`
  const agent = { ...header.agent, type: 'logstack' }
  const ingested = now()
  const timezone = header.timezone ?? settings.get('syslog.timezone')
  return records.map(({ offset, time, data_stream, event }) => {
    const id = documentId({ time, counter, number: offset })
    const relayed = relayedMessage(event)
    if (relayed) {
      const raw = syslogEvent(relayed.message, relayed.sender, timezone)
      raw.fields['agent'] = agent
      const own = { ...raw, dataset: data_stream.dataset, collected: time }
      return { id, ...buildDocument(own, decoders, ingested) }
    }
    const fields = fieldsOf(event, header.common, agent)
    const { type, dataset } = data_stream
    const raw = { type, dataset, fields, collected: time, timezone: header.timezone, agent: header.agent.id }
    return { id, ...buildDocument(raw, decoders, ingested) }
  })
}

/** An event's fields over those that all events of its batch share, and the agent that nobody else can set. */
function fieldsOf(event: Fields, common: Fields | undefined, agent: Fields): Fields {
  // Each literal names a key first: one that begins with a spread takes V8 0.7 µs for every key that is new to it.
  const fields: Fields = { agent, ...common, ...event }
  fields['agent'] = agent
  fields['host'] = { name: undefined, ...asObject(common?.['host']), ...asObject(event['host']) }
  return fields
}

/** What another host sent to the agent's syslog listener: that host's event, as if it had come here itself. */
function relayedMessage(event: Record<string, unknown>): { message: string; sender: string } | undefined {
  const address = asObject(asObject(event['log'])['source'])['address']
  const message = event['message']
  return typeof address === 'string' && typeof message === 'string' ? { message, sender: address } : undefined
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function renderError(thrown: unknown): AgentApiError {
  const statusCode = statusOf(thrown)
  const message =
    statusCode === 500 ? 'endpoint-manager met a state it did not expect; its log has the details' : messageOf(thrown)
  return { statusCode, error: STATUS_CODES[statusCode] ?? 'Error', message }
}

function statusOf(thrown: unknown): number {
  // What search answers to our own account is no fault of the agent: it keeps its events and comes again.
  if (isAppError(thrown)) return thrown.code === 'search_refused' ? 503 : errorKinds[thrown.kind].httpStatus
  const { statusCode } = thrown as { statusCode?: unknown }
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500 ? statusCode : 500
}
