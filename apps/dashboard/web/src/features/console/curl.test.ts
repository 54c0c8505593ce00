import { expect, test } from 'vitest'
import { curlCommand } from './curl.ts'
import { type ConsoleRequest, parseRequests } from './parse-requests.ts'

const only = (text: string): ConsoleRequest => {
  const [request] = parseRequests(text)
  if (!request) throw new Error('BUG: no request')
  return request
}

test('a shell reads the request as it was written', () => {
  const text = `POST /logs-*/_search?q=a b\n{ "query": { "match": { "user": "O'Brien $HOME" } } }`
  expect(curlCommand(only(text), 'https://logs.example:9200', "o'x")).toBe(
    [
      `curl --globoff --cacert root-ca.crt -u 'o'\\''x' -X POST 'https://logs.example:9200/logs-*/_search?q=a%20b'`,
      `-H 'Content-Type: application/json'`,
      `--data-binary '{ "query": { "match": { "user": "O'\\''Brien $HOME" } } }'`,
    ].join(' '),
  )
})

test('lines of NDJSON stay lines, and a request without a body has none', () => {
  expect(curlCommand(only('POST _bulk\n{"index":{}}\n{"a":1}'), 'https://h:9200', 'u')).toContain(
    `application/x-ndjson' --data-binary '{"index":{}}\n{"a":1}\n'`,
  )
  expect(curlCommand(only('HEAD web'), 'https://h:9200', 'u')).toBe(
    `curl --globoff --cacert root-ca.crt -u 'u' --head 'https://h:9200/web'`,
  )
})
