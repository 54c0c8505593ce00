import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DebianHost, whyNoHost } from './debian-host.ts'
import { delayTable, eventDelays } from './event-delays.ts'
import { bootCheckoutHost, home, type OperatorHost } from './installed-host.ts'
import { type Cable, joinHosts } from './joined-hosts.ts'
import { bootJoinableHost } from './podman-host.ts'

// Two machines: one with two stacks, one that becomes an endpoint of the first by the printed line. The tests follow the endpoint's life, in order.
const reason = whyNoHost()
const limitMs = 900_000
const rounds = Number(process.env['LOGSTACK_DELAY_ROUNDS'] ?? 2)
const program = '/usr/lib/logstack-agent/agent.mjs'
/** The options that tell one stack of the machine from the other. */
type Server = readonly string[]
const first: Server = []
const second: Server = ['--data', '/root/second']
let stack: OperatorHost
let endpoint: DebianHost
let cable: Cable

/** Runs a script on the endpoint as its administrator; answers all it printed and how it ended. */
async function onEndpoint(script: string): Promise<string> {
  return await endpoint.exec(['bash', '-c', `(${script}\n) 2>&1; echo "exit $?"`], { cwd: '/root', timeoutMs: 180_000 })
}

const logstack = (server: Server, ...argv: string[]): Promise<string> => stack.run('./logstack', ...server, ...argv)

const printLine = async (server: Server = first): Promise<string> => (await logstack(server, 'agent', 'command')).trim()

/** The endpoint's lines of `logstack agent list`. */
async function listed(server: Server = first): Promise<string[]> {
  const lines = await logstack(server, 'agent', 'list')
  return lines.split('\n').filter((line) => line.startsWith('endpoint '))
}

/** Hands out another program from now on; agent-server reads it when it starts. */
async function offer(handedOut: string, text: string): Promise<void> {
  writeFileSync(handedOut, text)
  await logstack(first, 'restart', 'agent-server')
}

/** Tells the endpoint's agent to do something; answers what became of it. */
async function ordered(type: string): Promise<{ status: string; message?: string }> {
  const agents = JSON.parse(await logstack(first, 'agent', 'list', '--json')) as { id: string; host_name: string }[]
  const id = agents.find(({ host_name }) => host_name === 'endpoint')?.id
  // An agent-server that was restarted a moment ago may not answer yet.
  const curl =
    'curl -sSk --fail --retry 60 --retry-delay 1 --retry-connrefused -u "elastic:$(./logstack password show)" -H "content-type: application/json"'
  const path = `https://localhost:8220/api/fleet/agents/${id}/actions`
  const { item } = JSON.parse(await stack.shell(`${curl} ${path} -d '{"action":{"type":"${type}"}}'`)) as {
    item: { id: string }
  }
  const outcome = async (): Promise<{ status: string; message?: string }> => {
    const { items } = JSON.parse(await stack.shell(`${curl} ${path}`)) as { items: { id: string; status: string }[] }
    return items.find((each) => each.id === item.id) ?? { status: 'gone' }
  }
  await expect
    .poll(async () => (await outcome()).status, { timeout: 300_000, interval: 2_000 })
    .toMatch(/^(done|failed|expired)$/)
  return outcome()
}

const online = async (server: Server = first): Promise<void> =>
  expect
    .poll(() => listed(server), { timeout: 180_000, interval: 2_000 })
    .toEqual([expect.stringMatching(/^endpoint +online /)])

beforeAll(async () => {
  if (reason) return
  stack = await bootCheckoutHost('stack')
  endpoint = await bootJoinableHost('endpoint')
  cable = await joinHosts(stack, endpoint)
  await logstack(first, 'up', '--detach', '--ip', cable.addresses[0])
}, 1_200_000)

afterAll(async () => {
  if (reason) return
  await endpoint?.down()
  await stack?.down()
}, 120_000)

test.skipIf(reason)(
  'the printed line makes a host an endpoint: a service that runs and is started at boot',
  async () => {
    const line = await printLine()
    expect(line).toContain(`https://${cable.addresses[0]}:8220/`)
    expect(await onEndpoint(line)).toMatch(/installed and running\nexit 0\n$/)
    expect(await onEndpoint('systemctl is-active logstack-agent; systemctl is-enabled logstack-agent')).toBe(
      'active\nenabled\nexit 0\n',
    )
    await online()
    expect(await onEndpoint(await printLine())).toMatch(/installed already, and running\nexit 0\n$/)
  },
  limitMs,
)

test.skipIf(reason)(
  'journal, auth log, changed file, installed package and failed login are found in search',
  async () => {
    const delays = await eventDelays(stack, endpoint, rounds)
    process.stdout.write(`${delayTable(delays)}\n`)
    for (const { kind, ms } of delays) expect(ms, kind).toHaveLength(rounds)
  },
  limitMs,
)

test.skipIf(reason)(
  'what happens while the network is away arrives once it is back, each event once',
  async () => {
    await cable.plug(false)
    await onEndpoint('for n in 1 2 3 4 5; do logger --tag cut "while the cable was out $n"; done')
    await cable.plug(true)
    const query = '{"query":{"match_phrase":{"message":"while the cable was out"}},"size":0,"track_total_hits":true}'
    const ask = `curl -sSk -u "elastic:$(./logstack password show)" 'https://localhost:9200/logs-*/_search' -H 'content-type: application/json' -d '${query}'`
    const found = async (): Promise<number> =>
      (JSON.parse(await stack.shell(ask)) as { hits: { total: { value: number } } }).hits.total.value
    await expect.poll(found, { timeout: 240_000, interval: 1_000 }).toBe(5)
  },
  limitMs,
)

test.skipIf(reason)(
  'a broken agent is called so, --force repairs it, and the list has the host once',
  async () => {
    writeFileSync(join(endpoint.root, program), 'broken')
    await onEndpoint('systemctl restart logstack-agent')
    // It ends as soon as Node.js has read it, which takes a loaded machine more than a second, and is started again now and then.
    await expect.poll(() => onEndpoint('systemctl is-active logstack-agent')).not.toMatch(/^active/m)
    const line = await printLine()
    await expect.poll(() => onEndpoint(line)).toMatch(/the agent is installed but broken\n.*--force\nexit 1\n$/)
    writeFileSync(join(endpoint.root, 'var/lib/logstack-agent/policy.json'), '{')
    expect(await onEndpoint(`${line} --force`)).toMatch(/installed and running\nexit 0\n$/)
    await online()
  },
  limitMs,
)

test.skipIf(reason)(
  'a token that is none leaves the agent that works at work',
  async () => {
    const line = (await printLine()).replace(/--token \S+/, '--token bm86dG9rZW4=')
    expect(await onEndpoint(`${line} --force`)).toMatch(/exit [1-9]\d*\n$/)
    await online()
    expect(await onEndpoint('systemctl is-active logstack-agent')).toBe('active\nexit 0\n')
  },
  limitMs,
)

test.skipIf(reason)(
  'told to, it begins anew, and becomes the program of its server; one that does not work is taken back',
  async () => {
    const started = await onEndpoint('systemctl show --property MainPID logstack-agent')
    expect(await ordered('RESTART')).toMatchObject({ status: 'done' })
    expect(await onEndpoint('systemctl show --property MainPID logstack-agent')).toBe(started)

    const handedOut = join(stack.root, home, 'dist/agent.mjs')
    const working = `${readFileSync(handedOut, 'utf8')}\n// the next one\n`
    await offer(handedOut, working)
    expect(await ordered('UPGRADE')).toMatchObject({ status: 'done' })
    expect(readFileSync(join(endpoint.root, program), 'utf8')).toBe(working)
    await online()

    await offer(handedOut, 'process.exit(1)\n')
    expect(await ordered('UPGRADE')).toMatchObject({ status: 'failed', message: expect.stringContaining('is back') })
    expect(readFileSync(join(endpoint.root, program), 'utf8')).toBe(working)
    await online()
    await offer(handedOut, working)
  },
  limitMs,
)

test.skipIf(reason)(
  'to another server it moves only when told so, and leaves the list of the first one',
  async () => {
    await logstack(second, 'up', '--detach', '--port-offset', '100', '--ip', cable.addresses[0])
    const line = await printLine(second)
    expect(await onEndpoint(line)).toMatch(/enrolled with another server\n.*--force\nexit 1\n$/)
    await online()
    expect(await onEndpoint(`${line} --force`)).toMatch(/installed and running\nexit 0\n$/)
    await online(second)
    expect(await listed()).toEqual([])
    expect(await onEndpoint(`${await printLine()} --force`)).toMatch(/installed and running\nexit 0\n$/)
    await online()
    expect(await listed(second)).toEqual([])
    await logstack(second, 'down')
  },
  limitMs,
)

test.skipIf(reason)(
  'taken away nothing is left of it, neither there nor on the list; a host without Node gets it from the stack',
  async () => {
    expect(await onEndpoint('sh logstack-agent.sh --uninstall')).toMatch(/taken away\nexit 0\n$/)
    expect(await onEndpoint('ls -d /usr/lib/logstack-agent /etc/systemd/system/logstack-agent.service')).toMatch(
      /exit 2\n$/,
    )
    expect(await listed()).toEqual([])
    await onEndpoint('mv /usr/bin/node /usr/bin/node.away')
    expect(await onEndpoint(await printLine())).toMatch(/installed and running\nexit 0\n$/)
    expect(await onEndpoint('test -x /usr/lib/logstack-agent/node')).toBe('exit 0\n')
    await online()
  },
  limitMs,
)

test.skipIf(reason)(
  'after a restart of the host it is there again by itself',
  async () => {
    await endpoint.reboot()
    cable = await joinHosts(stack, endpoint)
    await online()
    expect(await onEndpoint('systemctl is-active logstack-agent')).toBe('active\nexit 0\n')
  },
  limitMs,
)
