import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { dirname, join } from 'node:path'
import { bodyText, type Exchange, headersOf, Kept, type Recording, readRecording } from './recorded-answers.ts'

const usage = 'usage: record-answers.ts URL FILE [PREFIX]'
/** What names in recordings begin with. */
const ownPrefix = 'ex-'

/** Asks an Elasticsearch every request of a recording again and writes what it answers into the file. */
async function record(url: string, file: string, prefix: string): Promise<void> {
  const recording = readRecording(file)
  const kept = new Kept()
  if (recording.after !== undefined)
    await answers(url, readRecording(join(dirname(file), `${recording.after}.json`)), prefix, kept)
  const exchanges = await answers(url, recording, prefix, kept)
  writeFileSync(file, rendered({ ...recording, exchanges }))
  process.stdout.write(`${exchanges.length} exchanges in ${file}\n`)
}

async function answers(url: string, recording: Recording, prefix: string, kept: Kept): Promise<readonly Exchange[]> {
  const answered: Exchange[] = []
  for (const exchange of recording.exchanges) {
    const named = (written: string) => kept.filled(written.replaceAll(ownPrefix, prefix))
    const { status, text, json } = await ask(url, exchange, named)
    const own = text.replaceAll(prefix, ownPrefix)
    answered.push({ ...exchange, status, answer: kept.named(exchange, json ? parsed(own) : own) })
  }
  return answered
}

function ask(
  url: string,
  exchange: Exchange,
  named: (text: string) => string,
): Promise<{ status: number; text: string; json: boolean }> {
  const body = bodyText(exchange.request)
  const { method, path } = exchange.request
  const target = new URL(url)
  const { username, password } = target
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const sent = body === undefined ? undefined : named(body)
  // Without its length the body of a DELETE would be read as the next request.
  const length = sent === undefined ? {} : { 'content-length': Buffer.byteLength(sent) }
  const own = Object.entries(headersOf(exchange.request)).map(([name, value]) => [name, named(value)])
  const headers = { ...(username === '' ? {} : { authorization }), ...Object.fromEntries(own), ...length }
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host: target.hostname, port: target.port, method, path: named(path), headers },
      (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        const json = incoming.headers['content-type']?.includes('json') === true
        incoming.on('end', () =>
          resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(chunks).toString(), json }),
        )
      },
    )
    outgoing.on('error', reject)
    outgoing.end(sent)
  })
}

function parsed(text: string): unknown {
  return text === '' ? '' : JSON.parse(text)
}

/** One exchange a line, so that a change of one is a change of a line. */
function rendered({ exchanges, ...head }: Recording): string {
  const lines = exchanges.map((exchange) => JSON.stringify(exchange))
  return `${JSON.stringify(head).slice(0, -1)},"exchanges":[\n${lines.join(',\n')}\n]}\n`
}

const [url, file, prefix = ownPrefix] = process.argv.slice(2)
if (url === undefined || file === undefined) throw new Error(usage)
await record(url, file, prefix)
