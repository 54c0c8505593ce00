import { createSocket } from 'node:dgram'
import { connect as connectTcp, type Socket } from 'node:net'
import { hostname } from 'node:os'
import { connect as connectTls } from 'node:tls'
import { AppError, alerterErrors, messageOf } from '@logstack/errors'
import { facilityNames } from '@logstack/syslog'
import { z } from 'zod'
import { type ChannelContext, defineChannel, type IdentifiedAlert } from './define-channel.ts'

const levels = { low: 5, medium: 4, high: 3, critical: 2 } as const
const datagramBytesMax = 60_000

/** One line a alert to a syslog server, RFC 5424 over UDP (RFC 5426), TCP or TLS (octet counting, RFC 6587 and 5425). */
export const syslog = defineChannel({
  name: 'syslog',
  options: {
    syslog_host: z.string().min(1),
    syslog_port: z.number().int().min(1).max(65_535).optional(),
    syslog_protocol: z.enum(['udp', 'tcp', 'tls']).default('udp'),
    syslog_facility: z.enum(facilityNames).default('local0'),
    syslog_app: z
      .string()
      .regex(/^[!-~]{1,48}$/u)
      .default('logstack'),
    syslog_ca_file: z.string().min(1).optional(),
  },
  send: async ({ alerts }, options, context) => {
    const { syslog_host: host, syslog_protocol: protocol } = options
    const port = options.syslog_port ?? (protocol === 'tls' ? 6514 : 514)
    const lines = alerts.map((alert) =>
      lineOf(alert, facilityNames.indexOf(options.syslog_facility), options.syslog_app),
    )
    try {
      if (protocol === 'udp') await sendDatagrams(lines, host, port)
      else {
        const ca = options.syslog_ca_file === undefined ? undefined : context.readFile(options.syslog_ca_file)
        const socket =
          protocol === 'tcp' ? connectTcp({ host, port }) : connectTls({ host, port, servername: host, ca })
        await sendStream(socket, protocol === 'tls' ? 'secureConnect' : 'connect', lines, context)
      }
    } catch (thrown) {
      throw new AppError(alerterErrors.notify_failed, `cannot send to ${host}:${port}: ${messageOf(thrown)}`, {
        cause: thrown,
      })
    }
    return `sent to ${host}:${port} over ${protocol}, which does not answer`
  },
})

function lineOf({ id, document }: IdentifiedAlert, facility: number, app: string): string {
  const { severity } = document.logstack.alert
  const escaped = (text: string): string => text.replace(/["\\\]]/gu, '\\$&').replace(/[\r\n]+/gu, ' ')
  const data = `[alert@32473 id="${escaped(id)}" rule="${escaped(document.rule.id)}" severity="${severity}"]`
  const text = document.message.replace(/[\r\n]+/gu, ' ')
  return `<${facility * 8 + levels[severity]}>1 ${document['@timestamp']} ${hostname()} ${app} ${process.pid} alert ${data} \ufeff${text}`
}

async function sendDatagrams(lines: readonly string[], host: string, port: number): Promise<void> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
  try {
    for (const line of lines)
      await new Promise<void>((resolve, reject) => {
        const bytes = Buffer.from(line).subarray(0, datagramBytesMax)
        socket.send(bytes, port, host, (failed) => (failed ? reject(failed) : resolve()))
      })
  } finally {
    socket.close()
  }
}

// The receiver does not answer: what is known is that its system took the bytes and the end of the stream.
function sendStream(
  socket: Socket,
  ready: string,
  lines: readonly string[],
  { timeoutMs, signal }: ChannelContext,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (failed: Error): void => {
      socket.destroy()
      reject(failed)
    }
    socket.setTimeout(timeoutMs, () => fail(new Error(`no answer within ${timeoutMs} ms`)))
    signal.addEventListener('abort', () => fail(new Error('stopped')), { once: true })
    socket.once('error', fail)
    socket.once(ready, () => {
      socket.end(lines.map((line) => `${Buffer.byteLength(line)} ${line}`).join(''))
    })
    socket.once('close', (hadError) => {
      if (!hadError) resolve()
    })
    socket.resume()
  })
}
