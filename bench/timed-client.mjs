// The client of a measurement, a process of its own: it asks what its parent sends it, over one pool of connections, and tells the milliseconds until the whole answer was there
// and what the measurement reads of it. The answer itself stays here: reading it would cost its parent, which is the server, memory and time that belong to no search.
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

function summaryOf({ hits, aggregations, count, _scroll_id }) {
  const first = Object.values(aggregations ?? {})[0]
  const found = hits?.total?.value ?? hits?.hits.length ?? 0
  return { size: first ? (first.buckets?.length ?? first.value ?? 0) : found, count, scrollId: _scroll_id }
}

process.on('message', async ({ id, asked }) => {
  const { ms, status, text } = await ask(asked)
  process.send({
    id,
    ms,
    ...(status >= 300 ? { refused: `${status} ${text.slice(0, 500)}` } : summaryOf(JSON.parse(text))),
  })
})
