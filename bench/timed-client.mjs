// The client of a measurement, a process of its own: it asks what its parent sends it, over one pool of connections, and answers the milliseconds until the whole answer was there.
import { Agent, request } from 'node:https'

const [port, ca, authorization] = process.argv.slice(2)
const agent = new Agent({ ca, keepAlive: true })

function ask({ method, path, body }) {
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
  const headers = { authorization, 'content-type': 'application/json', ...length }
  const from = performance.now()
  return new Promise((resolve, reject) => {
    const outgoing = request({ agent, host: '127.0.0.1', port, method, path, headers }, (incoming) => {
      const chunks = []
      incoming.on('data', (chunk) => chunks.push(chunk))
      incoming.on('error', reject)
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        resolve({ ms: performance.now() - from, status: incoming.statusCode, text })
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

process.on('message', async ({ id, asked }) => process.send({ id, ...(await ask(asked)) }))
