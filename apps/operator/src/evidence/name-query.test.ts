import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { askName } from './name-query.ts'

const open: Socket[] = []
afterEach(() => {
  for (const socket of open.splice(0)) socket.close()
})

/** A name server on a port of its own that answers each question with what `answer` makes of it; nothing where that is nothing. */
async function server(answer: (question: Buffer) => Buffer | undefined): Promise<number> {
  const socket = createSocket('udp4')
  open.push(socket)
  socket.on('message', (question, from) => {
    const reply = answer(question)
    if (reply) socket.send(reply, from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return socket.address().port
}

const replyWith = (code: number, answers: number) => (question: Buffer) => {
  const reply = Buffer.from(question)
  reply.writeUInt16BE(0x8180 | code, 2)
  reply.writeUInt16BE(answers, 6)
  return reply
}
const ask = (port: number, timeoutMs = 60_000) => askName('127.0.0.1', 'logstack-search', { timeoutMs, port })

test('a name that is known, and one that is not', async () => {
  expect(await ask(await server(replyWith(0, 1)))).toBe('known')
  expect(await ask(await server(replyWith(0, 0)))).toBe('unknown')
  expect(await ask(await server(replyWith(3, 0)))).toBe('unknown')
  expect(await ask(await server(() => Buffer.from('short')))).toBe('unknown')
})

test('the question is one for the address of that name', async () => {
  let asked: Buffer | undefined
  const port = await server((question) => {
    asked = question
    return replyWith(0, 1)(question)
  })
  await ask(port)
  expect(asked?.subarray(2).toString('latin1')).toBe(
    '\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x0flogstack-search\x00\x00\x01\x00\x01',
  )
})

test('nobody who listens is told from one who is silent', async () => {
  const port = await server(() => undefined)
  expect(await ask(port, 50)).toBe('silent')
  for (const socket of open.splice(0)) {
    socket.close()
    await once(socket, 'close')
  }
  expect(await ask(port)).toBe('refused')
})
