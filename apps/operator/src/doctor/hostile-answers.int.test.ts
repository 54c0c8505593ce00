import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faults } from '../checks/faults/index.ts'
import { whoAmI } from '../evidence/search-answers.ts'
import { leafFilesOf } from '../places/paths.ts'
import type { Stack } from '../stack.ts'
import { certificates } from '../steps/certificates.ts'
import { secrets } from '../steps/secrets.ts'
import { withSearchAt } from '../testing/stack-on-search.ts'
import { runStep, testStack } from '../testing/test-stack.ts'
import { examine } from './examine.ts'
import { renderExamined } from './render.ts'

/** What stands at the ports of search, dashboard and agent-server instead of them. */
interface Answering {
  readonly status: number
  readonly type: string
  readonly body: string
  /** Whether a login is answered as search does. */
  readonly isLoginRight?: boolean
}

/** Where the evidence begins in a line. */
const titleEnd = 36
const json = 'application/json'
const html = '<html><body><h1>502 Bad Gateway</h1></body></html>'
/** Words of the runtime and of libraries: who reads them learns nothing. */
const words =
  /Cannot read prop|is not a function|not iterable|Unexpected (token|end)|is not valid JSON|is not an object|invalid_type|ZodError|undefined|\[object|NaN/

let temporary: ReturnType<typeof testStack>
let stack: Stack
let server: Server
let answer: Answering | 'nothing' = 'nothing'
/** What is known without any answer, as it lies on this machine. */
let known: readonly string[]

beforeAll(async () => {
  temporary = testStack()
  await runStep(secrets, temporary.stack)
  await runStep(certificates, temporary.stack)
  const { cert, key } = leafFilesOf(temporary.stack.paths, 'search')
  server = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (incoming, outgoing) => {
    incoming.resume()
    if (answer === 'nothing') return
    if (answer.isLoginRight && incoming.url === whoAmI) {
      outgoing.writeHead(200, { 'content-type': json }).end('{"username": "elastic"}')
      return
    }
    outgoing.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Nothing listens at port 1: who asks is refused at once.
  stack = withSearchAt(temporary.stack, 'https://127.0.0.1:1')
  known = concluded(await seen('nothing', 20))
  stack = withSearchAt(temporary.stack, `https://127.0.0.1:${(server.address() as AddressInfo).port}`)
})

afterAll(() => {
  stack.clients.close()
  server.closeAllConnections()
  server.close()
  temporary.remove()
})

const concluded = (lines: readonly string[]): string[] =>
  lines.filter((line) => /^(ok|FAULT|follows) /.test(line)).map((line) => line.slice(0, titleEnd))

async function seen(given: Answering | 'nothing', patience: number): Promise<string[]> {
  answer = given
  const examined = await examine(stack, faults, undefined, patience)
  return examined.map((one) => renderExamined(one, { dataDir: undefined, onHost: true }))
}

const shapes = {
  wrong: {
    hits: 7,
    aggregations: [],
    saved_objects: {},
    fields: null,
    count: 'x',
    data_view: 3,
    index_templates: 'no',
    item: 5,
  },
  holes: {
    hits: { hits: [null] },
    saved_objects: [null],
    data_view: [null],
    index_templates: [{}],
    fields: { ip: null },
  },
}
const answers: readonly Answering[] = [
  ...[
    '',
    'null',
    '{}',
    '7',
    '{"hits": {"hits": ',
    '[null, 7]',
    '\u0000\ufffd',
    ...Object.values(shapes).map((one) => JSON.stringify(one)),
  ].map((body) => ({ status: 200, type: json, body })),
  { status: 200, type: 'text/html', body: html },
  { status: 502, type: json, body: html },
  { status: 404, type: json, body: '[]' },
  { status: 401, type: json, body: '{"error": {"type": 7, "reason": {}}}' },
]

test.each(answers)(
  'nothing is concluded from an answer that search never gives: $status $type $body',
  async (given) => {
    const lines = await seen(given, 3)
    expect(lines.filter((line) => words.test(line))).toEqual([])
    expect(concluded(lines).filter((line) => !known.includes(line))).toEqual([])
  },
)

test.each(answers.filter(({ status, body }) => status === 404 || body.startsWith('{')))(
  'nor are words of a library told when only the login is answered right: $status $type $body',
  async (given) => {
    const lines = await seen({ ...given, isLoginRight: true }, 3)
    expect(lines.filter((line) => words.test(line))).toEqual([])
  },
)

test('a search that takes connections and answers nothing keeps nobody waiting', async () => {
  const lines = await seen('nothing', 0.05)
  expect(lines.filter((line) => /^unknown .*no answer within/.test(line)).length).toBeGreaterThan(10)
  expect(lines.filter((line) => words.test(line))).toEqual([])
})

test('a search that is too busy is asked again by who waits for late answers, as it is by one that is silent', async () => {
  const body =
    '{"error": {"type": "process_cluster_event_timeout_exception", "reason": "Time exceeded"}, "status": 503}'
  const lines = await seen({ status: 503, type: json, body, isLoginRight: true }, 3)
  expect(lines).toContainEqual(
    expect.stringMatching(
      /^unknown .*search does not answer: no answer within its own limit: 503 to \/_cluster\/health$/,
    ),
  )
})
