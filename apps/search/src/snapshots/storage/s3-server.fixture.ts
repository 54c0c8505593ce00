import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A store that speaks as much of the S3 API as a repository asks, in memory, for one bucket in the path. */
export interface S3Server {
  readonly url: string
  readonly objects: Map<string, Buffer>
  /** What was asked, as `METHOD key`. */
  readonly asked: string[]
  /** Statuses that the next requests are answered with instead. */
  readonly faults: number[]
  /** How many of the next requests are never answered. */
  stalls: number
  close(): Promise<void>
}

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')

function xml(response: ServerResponse, status: number, body: string): void {
  response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0" encoding="UTF-8"?>\n${body}`)
}

/**
 * Why a request is not signed as AWS Signature Version 4 asks; undefined when it is. Written from the documentation and for itself, over the text of
 * the request as it came, so that a fault of the client's own way is not repeated here.
 */
function signatureFault(
  request: IncomingMessage,
  body: Buffer,
  keys: { readonly id: string; readonly secret: string },
) {
  const given =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/u.exec(
      request.headers.authorization ?? '',
    )
  if (!given) return 'AccessDenied'
  const [, id = '', day = '', region = '', signedHeaders = '', signature = ''] = given
  if (id !== keys.id) return 'InvalidAccessKeyId'
  const date = String(request.headers['x-amz-date'])
  const payload = String(request.headers['x-amz-content-sha256'])
  if (payload !== sha256(body)) return 'XAmzContentSHA256Mismatch'
  const sentAt = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/u, '$1-$2-$3T$4:$5:$6Z'))
  if (!date.startsWith(day) || !(Math.abs(sentAt - Date.now()) < 900_000)) return 'RequestTimeTooSkewed'
  for (const needed of ['host', 'x-amz-content-sha256', 'x-amz-date'])
    if (!signedHeaders.split(';').includes(needed)) return 'AccessDenied'
  const [path = '', rawQuery = ''] = (request.url ?? '').split('?')
  // URLs may say a space as `+`, signatures may not.
  const query = rawQuery === '' ? [] : rawQuery.replaceAll('+', '%20').split('&')
  const pairs = query.map((pair) => (pair.includes('=') ? pair : `${pair}=`)).sort()
  const lines = [request.method, path, pairs.join('&')]
  for (const name of signedHeaders.split(';')) lines.push(`${name}:${String(request.headers[name]).trim()}`)
  lines.push('', signedHeaders, payload)
  const text = `AWS4-HMAC-SHA256\n${date}\n${day}/${region}/s3/aws4_request\n${sha256(lines.join('\n'))}`
  let key: Buffer = Buffer.from(`AWS4${keys.secret}`)
  for (const part of [day, region, 's3', 'aws4_request']) key = createHmac('sha256', key).update(part).digest()
  const expected = createHmac('sha256', key).update(text).digest()
  return timingSafeEqual(expected, Buffer.from(signature, 'hex')) ? undefined : 'SignatureDoesNotMatch'
}

/** Pages of two, so that what comes after the first is asked for. */
const pageSize = 2

function listing(objects: ReadonlyMap<string, Buffer>, query: URLSearchParams): string {
  const prefix = query.get('prefix') ?? ''
  const after = Buffer.from(query.get('continuation-token') ?? '', 'base64').toString()
  const all = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort()
  const page = all.slice(0, pageSize)
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const contents = page.map(
    (key) => `<Contents><Key>${escaped(key)}</Key><Size>${objects.get(key)?.length}</Size></Contents>`,
  )
  const next = Buffer.from(page.at(-1) ?? '').toString('base64')
  const more = all.length > page.length
  return `<ListBucketResult><IsTruncated>${more}</IsTruncated>${contents.join('')}${more ? `<NextContinuationToken>${next}</NextContinuationToken>` : ''}</ListBucketResult>`
}

function serve(server: Pick<S3Server, 'objects'>, key: string, method: string, body: Buffer, response: ServerResponse) {
  const { objects } = server
  if (method === 'PUT') {
    objects.set(key, body)
    response.writeHead(200).end()
  } else if (method === 'DELETE') {
    objects.delete(key)
    response.writeHead(204).end()
  } else {
    const found = objects.get(key)
    if (found) response.writeHead(200, { 'content-length': found.length }).end(method === 'HEAD' ? undefined : found)
    else xml(response, 404, '<Error><Code>NoSuchKey</Code></Error>')
  }
}

/** Starts a store on a free port of the loopback with one bucket and one pair of keys. */
export async function startS3Server(
  bucket: string,
  keys: { readonly id: string; readonly secret: string },
): Promise<S3Server> {
  const server = { objects: new Map<string, Buffer>(), asked: [] as string[], faults: [] as number[], stalls: 0 }
  const http = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts)
      const url = new URL(request.url ?? '/', 'http://store')
      const [, first = '', ...rest] = url.pathname.split('/').map(decodeURIComponent)
      const key = rest.join('/')
      server.asked.push(`${request.method} ${key}`)
      if (server.stalls > 0) {
        server.stalls -= 1
        return
      }
      const refusal = signatureFault(request, body, keys)
      const fault = server.faults.shift()
      if (refusal !== undefined) xml(response, 403, `<Error><Code>${refusal}</Code></Error>`)
      else if (fault !== undefined) xml(response, fault, '<Error><Code>SlowDown</Code></Error>')
      else if (first !== bucket) xml(response, 404, '<Error><Code>NoSuchBucket</Code></Error>')
      else if (key === '' && request.method === 'GET') xml(response, 200, listing(server.objects, url.searchParams))
      else serve(server, key, request.method ?? '', body, response)
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  return Object.assign(server, {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    async close() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  })
}
