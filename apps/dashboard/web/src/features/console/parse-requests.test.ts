import { expect, test } from 'vitest'
import { parseRequests, requestAt } from './parse-requests.ts'

const text = `# health
GET _cluster/health?pretty

put logs-a/_settings
{
  "index.number_of_replicas": 0
}
// scripts
POST logs-a/_update_by_query
{ "script": { "source": """
  ctx._source.x = "y"
""" } }

POST _bulk
{"index":{}}
{"a":1}`

test('several requests stand in one text, with comments between them', () => {
  expect(
    parseRequests(text).map(({ method, path, firstLine, lastLine }) => [method, path, firstLine, lastLine]),
  ).toEqual([
    ['GET', '_cluster/health?pretty', 1, 1],
    ['PUT', 'logs-a/_settings', 3, 6],
    ['POST', 'logs-a/_update_by_query', 8, 11],
    ['POST', '_bulk', 13, 15],
  ])
})

test('bodies are sent as JSON, NDJSON with its last newline', () => {
  const [health, settings, script, bulk] = parseRequests(text)
  expect(health?.body).toBeUndefined()
  expect(JSON.parse(settings?.body ?? '')).toEqual({ 'index.number_of_replicas': 0 })
  expect(JSON.parse(script?.body ?? '')).toEqual({ script: { source: '  ctx._source.x = "y"' } })
  expect(bulk?.body).toBe('{"index":{}}\n{"a":1}\n')
})

test('the cursor chooses the request it is in or below', () => {
  const requests = parseRequests(text)
  expect(requestAt(requests, 5)?.path).toBe('logs-a/_settings')
  expect(requestAt(requests, 7)?.path).toBe('logs-a/_settings')
  expect(requestAt(requests, 0)?.path).toBe('_cluster/health?pretty')
  expect(requestAt([], 0)).toBeUndefined()
})
