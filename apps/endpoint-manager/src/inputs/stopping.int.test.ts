import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { startTestedPart } from '../start-part.testing.ts'

// Syslog and GELF acknowledge nothing: what the kernel took of a sender is lost unless the part that ends reads it.
const each = 500

// Fits into the kernel's buffers, so that it ends though nobody reads; it leaves one of its connections open.
const sender = `
const { connect } = require('node:net')
const { createSocket } = require('node:dgram')
const [syslog, gelf, each] = process.argv.slice(1).map(Number)
const lines = (name) => Array.from({ length: each }, (_, n) => '<13>Nov 21 10:00:00 ' + name + ' app: line ' + n + '\\n').join('')
const texts = Array.from({ length: each }, (_, n) => JSON.stringify({ version: '1.1', host: 'gelf', short_message: 'text ' + n }) + '\\0').join('')
const write = (port, text, how) => new Promise((resolve, reject) => {
  const socket = connect(port, '127.0.0.1').on('error', reject)
  socket[how](text, () => resolve())
})
const socket = createSocket('udp4')
const send = (n) => new Promise((resolve, reject) => socket.send('<13>Nov 21 10:00:00 udp app: line ' + n, syslog, '127.0.0.1', (thrown) => thrown ? reject(thrown) : resolve()))
const run = async () => {
  await write(syslog, lines('ended'), 'end')
  await write(syslog, lines('open'), 'write')
  await write(gelf, texts, 'write')
  for (let n = 0; n < each; n += 1) await send(n)
  process.exit(0)
}
run()
`

it('stores what was on its way when it is told to end', async () => {
  const part = await startTestedPart()
  // The part, in this thread, does nothing before the sender has ended.
  const argv = ['-e', sender, ...[part.ports.syslog, part.ports.gelf, each].map(String)]
  const { status, stderr } = spawnSync(process.execPath, argv)
  await part.stop()
  expect([status, String(stderr)]).toEqual([0, ''])
  const indices = [...part.search.indices.keys()]
  const names = indices
    .filter((index) => index.startsWith('logs-'))
    .flatMap((index) => part.documents(index).map((document) => (document['host'] as { name?: string })?.name))
  const counts = Object.fromEntries(
    ['ended', 'open', 'gelf', 'udp'].map((name) => [name, names.filter((one) => one === name).length]),
  )
  // What was counted until then is told, too.
  expect(indices).toContain('metrics-logstack.sources-default')
  expect(counts).toEqual({ ended: each, open: each, gelf: each, udp: each })
})
