// What `endpoints.ts` sends, and who sends it: a process of its own, so that its processor time is not taken for endpoint-manager's.
import { fork } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect } from 'node:net'

const texts = [
  (n: number) =>
    `sshd[${n}]: Failed password for user${n % 500} from 10.0.${n % 200}.${n % 250} port ${1024 + (n % 60000)} ssh2`,
  (n: number) => `sudo: alice : TTY=pts/0 ; PWD=/home/alice ; USER=root ; COMMAND=/usr/bin/apt update ${n}`,
  (n: number) =>
    `kernel: [UFW BLOCK] IN=eth0 OUT= SRC=10.1.${n % 200}.9 DST=192.0.2.10 LEN=60 TTL=49 ID=${n} PROTO=TCP SPT=${n % 60000} DPT=22`,
  (n: number) => `postfix/smtpd[9]: connect from unknown[10.2.${n % 200}.7]`,
  (n: number) =>
    `nginx: 10.3.0.${n % 250} - - [22/Nov/2026:03:25:32 +0000] "GET /page/${n} HTTP/1.1" 200 512 "-" "curl/8.5.0"`,
  (n: number) => `app[7]: something that no decoder knows, number ${n}`,
]

/** Syslog messages of six kinds, a thousand a second by their own time, as windows of detections go by it. */
export function syslogLines(count: number): string[] {
  const two = (number: number): string => String(number).padStart(2, '0')
  return Array.from({ length: count }, (_, n) => {
    const clock = `03:${two(10 + Math.floor(n / 60_000))}:${two(Math.floor(n / 1000) % 60)}`
    return `<38>Nov 22 ${clock} host${n % 50} ${texts[n % texts.length]?.(n)}`
  })
}

/** What is sent, and where; `perSecond` is for UDP. */
export interface Sending {
  readonly over: 'tcp' | 'udp'
  readonly port: number
  readonly count: number
  readonly perSecond: number
}

/** The argument by which the bench's own program becomes the sender. */
export const senderArgument = 'send'

/** Sends from a process of its own. `began` is called once its lines are made; resolves with the processor time in milliseconds that sending took there. */
export async function sendElsewhere(sending: Sending, began: () => void): Promise<number> {
  const child = fork(process.argv[1] ?? '', [senderArgument, JSON.stringify(sending)])
  await once(child, 'message')
  began()
  child.send('go')
  const [cpuMs] = await once(child, 'message')
  return Number(cpuMs)
}

/** What that process does. */
export async function beSender(sending: Sending): Promise<void> {
  const lines = syslogLines(sending.count)
  process.send?.('ready')
  await once(process, 'message')
  const from = process.cpuUsage()
  await (sending.over === 'tcp' ? overTcp(lines, sending) : overUdp(lines, sending))
  const { user, system } = process.cpuUsage(from)
  process.send?.((user + system) / 1000)
  process.disconnect()
}

async function overTcp(lines: readonly string[], { port }: Sending): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  for (let at = 0; at < lines.length; at += 500) {
    if (!socket.write(`${lines.slice(at, at + 500).join('\n')}\n`)) await once(socket, 'drain')
  }
  socket.end()
  await once(socket, 'close')
}

async function overUdp(lines: readonly string[], { port, perSecond }: Sending): Promise<void> {
  const socket = createSocket('udp4')
  const from = performance.now()
  for (const [n, line] of lines.entries()) {
    socket.send(line, port, '127.0.0.1')
    const ahead = n / perSecond - (performance.now() - from) / 1000
    if (n % 100 === 0) await new Promise((resolve) => setTimeout(resolve, Math.max(0, ahead * 1000)))
  }
  await new Promise((resolve) => setTimeout(resolve, 500))
  socket.close()
}
