import type { Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '@logstack/errors'
import { EventQueue } from './event-queue.ts'
import type { Input, InputServices } from './input.ts'
import { addressIn, Connections, certificateOf, listenTcp, refusals, type TcpListener } from './listen.ts'
import { Unfinished, unfinishedRoom } from './unfinished.ts'
import { ConnectedAgents } from './wazuh/connected-agents.ts'
import { Enrolment } from './wazuh/enrolment.ts'
import { beginsFrame } from './wazuh/frames.ts'
import { HeardAgents } from './wazuh/heard-agents.ts'
import { KnownAgents } from './wazuh/known-agents.ts'
import { Session, type SessionServices } from './wazuh/session.ts'
import { readSharedFiles, type SharedFiles } from './wazuh/shared-files.ts'
import { StaleInventory } from './wazuh/stale-inventory.ts'

const frameBytesMax = 65_536
const enrolmentsMax = 200
// With what the queue takes for itself this is less than a container has to end.
const leavingMsMax = 10_000
const endingMsMax = 2_500
const lookEveryMs = 20
const idleLooksMax = 100

/**
 * Wazuh agents as they are, over TCP on the port of the agents' HTTPS, told from it by their first bytes: those whose keys `.logstack-wazuh-agents` has. On
 * `LOGSTACK_WAZUH_ENROLMENT_LISTEN` (`host:port`), where it is set, they get such keys.
 * Their protocol acknowledges no events: what is on its way when either side ends is lost, beyond what the agent itself keeps.
 */
export const wazuhInput: Input = {
  name: 'wazuh',
  async start(services) {
    const { logger, settings, otherProtocols } = services
    const queue = new EventQueue(services, 'wazuh')
    const agents = new KnownAgents(services)
    const heard = new HeardAgents(services)
    const room = unfinishedRoom(() => frameBytesMax)
    const stale = new StaleInventory(services)
    let sharedFiles = readShared(services)
    const shared: SessionServices = {
      agents,
      heard,
      queue,
      logger,
      timezone: () => settings.get('syslog.timezone'),
      sharedFiles: () => sharedFiles,
      stale,
      memories: new Map(),
      now: services.now,
      connected: new ConnectedAgents(),
      proved: (socket) => strangers.delete(socket),
    }
    // The oldest first.
    const strangers = new Set<Socket>()
    const connections = new Connections('Wazuh', logger, (socket, sender) =>
      new Session(socket, sender, shared).read(new Unfinished(room, sender)),
    )
    const report = refusals('Wazuh', services)
    let isStopping = false
    const refuse = (socket: Socket, connectionsMax: number): void => {
      socket.destroy()
      strangers.delete(socket)
      report(connectionsMax)
    }
    otherProtocols.add((first, socket) => {
      if (!beginsFrame(first)) return false
      const connectionsMax = settings.get('wazuh.connections_max')
      const isFull = connections.open >= connectionsMax
      // Whoever has not proved who they are gives way, so that nobody keeps agents out with connections that only begin.
      const stranger = isFull && !isStopping ? strangers.values().next().value : undefined
      if (stranger) refuse(stranger, connectionsMax)
      if (isStopping || (isFull && !stranger)) refuse(socket, connectionsMax)
      else {
        strangers.add(socket)
        socket.on('close', () => strangers.delete(socket))
        connections.serve(socket)
      }
      return true
    })
    const enrolment = await listenForEnrolments(services, shared).catch(async (thrown: unknown) => {
      await Promise.all([agents.stop(), heard.stop()])
      throw thrown
    })
    return {
      async stop() {
        isStopping = true
        await enrolment?.close()
        await queue.stop(leave(shared, connections), leavingMsMax + endingMsMax)
        stale.stop()
        await Promise.all([agents.stop(), heard.stop()])
      },
      reload() {
        enrolment?.renew(certificateOf(services))
        sharedFiles = readShared(services)
      },
    }
  },
}

/** What is in `wazuh/shared` of the rules; nothing, and an error in the log, where agents could not take it. */
function readShared({ rulesDir, logger }: InputServices): SharedFiles | undefined {
  try {
    return readSharedFiles(join(rulesDir, 'wazuh/shared'))
  } catch (thrown) {
    logger.error(`the shared files of Wazuh agents are not handed over: ${messageOf(thrown)}`)
    return undefined
  }
}

function listenForEnrolments(
  services: InputServices,
  { agents, connected }: SessionServices,
): Promise<TcpListener | undefined> {
  const address = addressIn(services, 'LOGSTACK_WAZUH_ENROLMENT_LISTEN')
  if (!address) return Promise.resolve(undefined)
  const enrolment = new Enrolment({
    ...services,
    agents,
    isConnected: (id) => connected.of(id).some(({ isHeard }) => isHeard),
  })
  const { logger, losses } = services
  const options = { logger, losses, connectionsMax: enrolmentsMax, tls: certificateOf(services) }
  logger.info(address, 'enrolment of Wazuh agents')
  return listenTcp('Wazuh enrolment', address, options, (socket, sender) => enrolment.serve(socket, sender))
}

/**
 * Lets agents end their connections: they do so at once, but what they had sent before is to be read. Those of old agents, which do not know the request,
 * are ended once nothing has come for two seconds, all within ten.
 */
async function leave({ connected }: SessionServices, connections: Connections): Promise<void> {
  for (const session of connected.all()) session.askToLeave()
  const limit = performance.now() + leavingMsMax
  let idleLooks = 0
  for (let left = connected.all(); left.length > 0; left = connected.all()) {
    idleLooks = left.every(({ isIdle }) => isIdle) ? idleLooks + 1 : 0
    if (idleLooks > idleLooksMax || performance.now() >= limit) break
    await sleep(lookEveryMs)
  }
  await connections.end()
}
