import { connect } from 'node:tls'
import { containerName, type PartName } from '@logstack/contracts'
import type { DoctorContext } from '../doctor/define-fault.ts'
import { portHolder } from '../places/port-holder.ts'

/** The ports on which parts show a certificate. The alerter serves nothing. */
const servingPorts: Partial<Record<PartName, number>> = {
  search: 9200,
  dashboard: 5601,
  'agent-server': 8220,
  'endpoint-manager': 1514,
}

const handshakeLimitMs = 3_000

/** The certificate (PEM) that answers at a part's port, once a round; undefined when nothing there speaks TLS in time, or the part serves none. */
export function servedCertificate({ look, stack }: DoctorContext, part: PartName): Promise<string | undefined> {
  const port = servingPorts[part]
  if (port === undefined) return Promise.resolve(undefined)
  return look.once(`served certificate of ${part}`, () =>
    handshake(stack.ports.of(port), look.limitMs(handshakeLimitMs)),
  )
}

/** Whether it is the part itself that answers at its port; false where another program does, or the system does not tell. */
export async function servesItself({ look, stack }: DoctorContext, part: PartName): Promise<boolean> {
  const port = servingPorts[part]
  const holder = port === undefined ? undefined : portHolder(stack.ports.of(port), 'tcp')
  if (!holder) return false
  if (stack.runtime.kind === 'podman') return holder.container === containerName(part)
  const listing = await look.listing()
  return listing.state === 'answered' && listing.parts.some((one) => one.part === part && one.pid === holder.pid)
}

function handshake(port: number, limitMs: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, timeout: limitMs })
    const end = (pem: string | undefined): void => {
      socket.destroy()
      resolve(pem)
    }
    socket.on('secureConnect', () => end(socket.getPeerX509Certificate()?.toString()))
    socket.on('timeout', () => end(undefined))
    socket.on('error', () => end(undefined))
  })
}
