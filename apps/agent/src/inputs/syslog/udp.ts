import { createSocket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import { plainAddress, type SyslogListening } from './listening.ts'

const waitingMax = 10_000
const receiveBufferBytes = 4 * 1024 * 1024

/** Takes datagrams, each a message; resolves with what closes it once it listens. */
export async function listenUdp(listening: SyslogListening): Promise<() => Promise<void>> {
  const { host, port, messageBytesMax, take, complain, broken } = listening
  const socket = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4', recvBufferSize: receiveBufferBytes })
  let waiting: { text: string; sender: string }[] = []
  let lost = 0
  let isTaking = false
  const drain = async (): Promise<void> => {
    isTaking = true
    try {
      while (waiting.length > 0) {
        const batch = waiting
        waiting = []
        for (const { sender, texts } of bySender(batch)) await take(texts, sender)
      }
    } catch (thrown) {
      broken(thrown instanceof Error ? thrown : new Error(String(thrown)))
    } finally {
      isTaking = false
    }
  }
  socket.on('message', (bytes, { address }) => {
    if (waiting.length >= waitingMax) {
      lost += 1
      complain(`${lost} datagrams were lost as the spool was full`)
      return
    }
    const text = bytes.toString('utf8', 0, messageBytesMax).replace(/[\r\n\0]+$/, '')
    if (text === '') return
    waiting.push({ text, sender: plainAddress(address) })
    if (!isTaking) void drain()
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.bind({ address: host, port, exclusive: true }, () => {
      socket.off('error', reject)
      resolve()
    })
  })
  socket.on('error', broken)
  return () => new Promise((resolve) => socket.close(() => resolve()))
}

/** Messages in the order they came, those of one sender that follow each other together. */
function bySender(batch: readonly { text: string; sender: string }[]): { sender: string; texts: string[] }[] {
  const runs: { sender: string; texts: string[] }[] = []
  for (const { text, sender } of batch) {
    const last = runs.at(-1)
    if (last?.sender === sender) last.texts.push(text)
    else runs.push({ sender, texts: [text] })
  }
  return runs
}
