import { createHash, createHmac } from 'node:crypto'

/** Who asks. */
export interface S3Credentials {
  readonly accessKey: string
  readonly secretKey: string
}

/** A request before it is signed. */
export interface UnsignedRequest {
  readonly method: string
  /** As it is sent, encoded; its query has no order yet. */
  readonly url: URL
  /** Beside the host; names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

const hashOf = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')
const keyed = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** Percent-encodes as the signature wants it: all but letters, digits and `-._~`. */
export function encodeName(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/gu,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/**
 * The headers that sign a request by AWS Signature Version 4, those it had among them.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
export function signRequest(
  { method, url, headers, body }: UnsignedRequest,
  { accessKey, secretKey }: S3Credentials,
  region: string,
  nowMs: number,
): Record<string, string> {
  const time = new Date(nowMs).toISOString().replace(/[-:]|\.\d{3}/gu, '')
  const day = time.slice(0, 8)
  const payload = hashOf(body)
  const signed: Record<string, string> = {
    ...headers,
    host: url.host,
    'x-amz-content-sha256': payload,
    'x-amz-date': time,
  }
  const names = Object.keys(signed).sort()
  const query = [...url.searchParams]
    .map(([name, value]) => `${encodeName(name)}=${encodeName(value)}`)
    .sort()
    .join('&')
  const canonical = [
    method,
    url.pathname,
    query,
    ...names.map((name) => `${name}:${(signed[name] ?? '').trim()}`),
    '',
    names.join(';'),
    payload,
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', time, scope, hashOf(canonical)].join('\n')
  const key = ['s3', 'aws4_request'].reduce(keyed, keyed(keyed(`AWS4${secretKey}`, day), region))
  const signature = keyed(key, toSign).toString('hex')
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKey}/${scope},SignedHeaders=${names.join(';')},Signature=${signature}`
  return { ...signed, authorization }
}
