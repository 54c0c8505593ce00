import { expect, test } from 'vitest'
import { graphRootOf, writersOf } from '../../doctor/lock-holders.ts'
import { classifyEnd } from '../../doctor/loop-cause.ts'
import { Observations } from '../../doctor/observations.ts'
import { troubleOfUnit } from '../../doctor/part-troubles.ts'
import { parseUnitStates } from '../../doctor/unit-states.ts'
import { unitOf } from '../../places/port-holder.ts'
import { testStack } from '../../testing/test-stack.ts'
import { clocksIn, wordsOfClocks } from './clock.ts'
import { companionTroubles, companionUnits } from './companion-units.ts'
import { refusalIn } from './configuration.ts'
import { diagnoseLock } from './container-runtime-lock.ts'
import { dependentsPattern } from './dead-containers.ts'
import { addressIn, brokenLines, commentOut, judgeForeign } from './environment-file.ts'
import { faults } from './index.ts'
import { judge } from './memory.ts'
import { judgeNames, namesIn } from './name-server.ts'
import { forwardedPorts } from './network.ts'
import { refusedByQuadlet } from './units.ts'

const gibibyte = 1024 ** 3
const { stack, remove } = testStack()
remove()

// As podman 5.4 and systemd 257 wrote it on a Debian 13 host.
const showOutput = `Result=success
NRestarts=3
Id=logstack-search.service
LoadState=loaded
ActiveState=activating
SubState=auto-restart
UnitFileState=generated
StateChangeTimestampMonotonic=1356568246
NeedDaemonReload=no

NRestarts=0
Id=logstack-alerter.service
LoadState=not-found
ActiveState=inactive
SubState=dead
`

test('units are told by what systemctl show prints', () => {
  const states = parseUnitStates(showOutput)
  expect(states.get('logstack-search.service')).toMatchObject({ restarts: 3, active: 'activating', load: 'loaded' })
  expect(states.get('logstack-alerter.service')).toMatchObject({
    load: 'not-found',
    active: 'inactive',
    changedAtSeconds: 0,
  })
})

test('a loop, a stop, a paused container and a first start are told apart', () => {
  const states = parseUnitStates(showOutput)
  const search = states.get('logstack-search.service')
  const alerter = states.get('logstack-alerter.service')
  if (!search || !alerter) throw new Error('not parsed')
  expect(troubleOfUnit(search, undefined, 2_000)).toMatchObject({ kind: 'loop' })
  expect(troubleOfUnit({ ...search, restarts: 1 }, undefined, 2_000)).toBeUndefined()
  expect(troubleOfUnit(alerter, undefined, 2_000)).toMatchObject({ kind: 'down' })
  const active = { ...search, active: 'active', sub: 'running' }
  const running = { part: 'search', name: 'logstack-search', health: undefined, ready: false } as const
  // A part that was started again has calmed down after a minute.
  expect(troubleOfUnit(active, { ...running, state: 'running', statusText: 'Up 10 seconds' }, 1_400)).toMatchObject({
    kind: 'loop',
  })
  expect(troubleOfUnit(active, { ...running, state: 'running', statusText: 'Up 2 minutes' }, 1_500)).toBeUndefined()
})

test('what brings a part up again goes by the state of its container', () => {
  const unit = parseUnitStates(showOutput).get('logstack-search.service')
  if (!unit) throw new Error('not parsed')
  const active = { ...unit, active: 'active', sub: 'running', restarts: 0 }
  const status = { part: 'search', name: 'logstack-search', health: undefined, ready: false } as const
  const troubles = [
    { ...status, state: 'paused', statusText: 'Paused' } as const,
    { ...status, state: 'exited', statusText: 'Exited (0) 2 seconds ago' } as const,
    { ...status, state: 'absent', statusText: '' } as const,
    { ...status, state: 'running', statusText: 'Up 2 minutes (unhealthy)', health: 'unhealthy' } as const,
  ].map((seen) => troubleOfUnit(active, seen, 1_500))
  expect(troubles).toEqual([
    { kind: 'down', words: 'is Paused, its unit active', needs: 'unpause' },
    { kind: 'down', words: 'is Exited (0) 2 seconds ago, its unit active', needs: 'restart' },
    { kind: 'down', words: 'has no container, its unit is active', needs: 'restart' },
    { kind: 'down', words: 'is Up 2 minutes (unhealthy)', needs: 'restart' },
  ])
  // A unit that is stopped is only started.
  expect(troubleOfUnit({ ...active, active: 'inactive' }, undefined, 1_500)).not.toHaveProperty('needs')
})

test('the cause of a restart loop is read from exit code, kernel and last words', () => {
  const ended = (status: string) => `logstack-search.service: Main process exited, code=exited, status=${status}`
  // Recorded: the memory controller is not there on the test host.
  const kernel = [
    'oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=libpod-9c03.scope,mems_allowed=0,oom_memcg=/machine.slice/libpod-9c03.scope,task=node,pid=4711,uid=7001',
    'Memory cgroup out of memory: Killed process 4711 (node) total-vm:4606956kB, anon-rss:8335368kB, file-rss:0kB',
  ]
  expect(classifyEnd({ journal: [ended('137/n/a')], kernel }).cause).toBe('out-of-memory')
  expect(classifyEnd({ journal: [ended('137/n/a')], kernel: [] }).cause).toBe('killed')
  // A file of rules that is broken is no reason to end.
  const rule =
    '{"level":"warn","file":"/etc/logstack/rules/alerts/fault.yml","msg":"rules/alerts/fault.yml:2:7: no YAML"}'
  expect(classifyEnd({ journal: [rule, ended('137/n/a')], kernel: [] }).cause).toBe('killed')
  const heap = 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory'
  expect(classifyEnd({ journal: [heap, ended('137/n/a')], kernel: [] }).cause).toBe('out-of-memory')
  const password =
    '{"level":"fatal","msg":"cannot start: search refused: security_exception: unable to authenticate user [logstack_alerter] for REST request [/]"}'
  expect(classifyEnd({ journal: [password, ended('1/FAILURE')], kernel: [] }).cause).toBe('password')
  const port = 'Error: cannot listen on the TCP port: listen tcp4 :8220: bind: address already in use'
  expect(classifyEnd({ journal: [port, ended('126/n/a')], kernel: [] }).cause).toBe('port')
  const settings =
    '{"level":"fatal","msg":"cannot start: /etc/logstack/config/alerter.yml: no_such_setting is unknown","fix":"mend the file"}'
  expect(classifyEnd({ journal: [settings, ended('78/CONFIG')], kernel: [] }).cause).toBe('configuration')
  const podmanEvent =
    '2026-11-22 00:18:26.178802666 +0000 UTC m=+0.141304804 image pull 2a74 localhost/logstack:LOGSTACK_LATEST'
  expect(classifyEnd({ journal: ['boom', podmanEvent, ended('1/FAILURE')], kernel: [] })).toMatchObject({
    cause: 'unknown',
    words: 'boom',
  })
})

test('who holds the lock is read from /proc/locks; a waiting process holds none', () => {
  const locks = `1: POSIX  ADVISORY  WRITE 33545 fe:00:1493235 1073741824 1073742335
1: -> POSIX  ADVISORY  WRITE 33479 fe:00:1493235 1073741824 1073742335
2: FLOCK  ADVISORY  WRITE 9229 fe:00:1493235 0 EOF
3: POSIX  ADVISORY  READ 12 fe:00:1493235 0 0
4: POSIX  ADVISORY  WRITE 13 fe:00:77 0 EOF
5: OFDLCK ADVISORY  WRITE -1 fe:00:1493235 0 EOF
`
  expect(writersOf(locks, 1493235)).toEqual([33545])
  expect(graphRootOf('[storage]\n# graphroot = "/no"\ngraphroot = "/srv/containers"\n')).toBe('/srv/containers')
  expect(graphRootOf('[storage]\ndriver = "overlay"\n')).toBeUndefined()
})

test('the holder is ended first, whatever its number; without the kernel telling, the oldest by start time', () => {
  const holder = { command: 'podman ps', state: 'sleeping', ageSeconds: 10 }
  const young = { ...holder, pid: 99, startTicks: 50, heldLooks: 48, command: 'podman exec x y' }
  const old = { ...holder, pid: 30_000, startTicks: 10, heldLooks: 1 }
  const lowest = { ...holder, pid: 7, startTicks: 90, heldLooks: 0 }
  const database = '/var/lib/containers/storage/db.sql'
  const seen = diagnoseLock({ database, looks: 50, holders: [old, young, lowest] })
  expect(seen).toMatchObject({ status: 'fault', found: { root: { pid: 99 } } })
  if (seen.status === 'fault') expect(seen.found.waiting.map(({ pid }) => pid)).toEqual([30_000, 7])
  const unseen = [old, { ...young, heldLooks: 0 }, lowest]
  expect(diagnoseLock({ database, looks: 50, holders: unseen })).toMatchObject({ found: { root: { pid: 30_000 } } })
  expect(diagnoseLock({ database, looks: 50, holders: [] })).toMatchObject({ status: 'unknown' })
})

test("podman's words about dependent containers are understood", () => {
  const line =
    'Error: container b367f5ecfc13968876f06ba4fae9c766e5ad4d242d827c286cfbf361fa4cd2dd has dependent containers which must be removed before it: f8ced37bc668d9f90e3cc72122ce3b6dc0c6311112e3229123f4375c61c256b1: container already exists'
  expect(dependentsPattern.exec(line)?.[2]).toMatch(/^f8ced37b/)
})

test('lines of the environment file that nobody can read become comments', () => {
  const text = 'IPVAR=192.0.2.1\n# a comment\n\nplease restart\n LOGSTACK_ADMIN_USER=elastic\n'
  expect(brokenLines(text)).toEqual([{ number: 4, line: 'please restart' }])
  expect(commentOut(text)).toContain('\n# not readable: please restart\n')
  expect(addressIn('192.0.2.1 # the office')).toBe('192.0.2.1')
  expect(addressIn('"192.0.2.1"')).toBe('192.0.2.1')
  expect(addressIn('2001:db8::1')).toBe('2001:db8::1')
  expect(addressIn('logs.example.org')).toBe('logs.example.org')
  expect(addressIn('!')).toBeUndefined()
})

test('an address that is none of the host is wrong only where search answers here and no translation of addresses is likely', () => {
  const own = ['10.1.2.3/24', 'fe80::1/64', '2001:db8::3/64']
  const of = (value: string, searchAnswers = true) => judgeForeign(value, { own, fallback: '10.1.2.3', searchAnswers })
  expect(of('10.1.2.9')).toEqual({ wanted: '10.1.2.3', problem: 'IPVAR=10.1.2.9 is not an address of this host' })
  expect(of('2001:db8::5')).toMatchObject({ wanted: '10.1.2.3', problem: expect.any(String) })
  expect(of('10.1.2.9', false)).toEqual({ wanted: '10.1.2.9', unseen: expect.stringContaining('once search answers') })
  // A cloud's outer address; that of a machine whose virtual machine this host is; that of another network.
  for (const outer of ['203.0.113.5', '192.168.1.20', '10.1.3.9', '2001:db8:1::5'])
    for (const answers of [true, false])
      expect(of(outer, answers)).toEqual({ wanted: outer, note: expect.stringContaining('translation') })
})

test('a heap that does not fit is judged by the host and by the limit of its container', () => {
  const of = (javaOptions: string | undefined, limit?: string) =>
    judge('search', { javaOptions, limit, hostBytes: 16 * gibibyte })
  expect(of(undefined)).toEqual([])
  expect(of('-Xms8g -Xmx8g')).toEqual([])
  expect(of('-Xms64g -Xmx64g')).toMatchObject([
    { setting: 'heap', problem: expect.stringContaining("this host's 16.0 GB") },
  ])
  expect(of('-Xmx8g', '8gb')).toMatchObject([{ setting: 'heap', problem: expect.stringContaining('limit of 8gb') }])
  expect(of(undefined, '64mb')).toMatchObject([{ setting: 'limit' }])
})

test('the unit that holds a port is known by its control group', () => {
  expect(unitOf('0::/system.slice/port-thief.service\n')).toBe('port-thief.service')
  expect(unitOf('0::/system.slice/system-x.slice/x@1.service/sub\n')).toBe('x@1.service')
  expect(unitOf('0::/user.slice/user-1000.slice/session-3.scope\n')).toBeUndefined()
})

test("what quadlet's dry run refuses is told by file", () => {
  const said = `quadlet-generator[1510]: converting "logstack-dashboard.container": unsupported key 'Imagge' in group 'Container' in /etc/containers/systemd/logstack-dashboard.container\n`
  expect(refusedByQuadlet(said).get('logstack-dashboard.container')).toMatch(/^unsupported key 'Imagge'/)
})

test('hosts whose clocks are off are told once each, by what their agents say, else by their quickest events', () => {
  const [minute, day] = [60_000, 86_400_000]
  const now = Date.UTC(2026, 10, 27)
  const source = (key: string, quickest: number | null, offset: number | null, behind = offset) => ({
    key,
    quickest: { value: quickest },
    ahead: { value: offset },
    behind: { value: behind },
  })
  const clocks = clocksIn(
    [
      source('right', 200, 5),
      source('agent ahead', -2 * day, 2 * day),
      source('queue of a month', 30 * day, 100),
      source('was set meanwhile', -day, day, 3),
      source('device behind', 60 * minute, null),
      source('device ahead', -65 * minute, null),
      source('older counts', null, null),
    ],
    [{ key: 'beats', newest: { value: now + 730 * day } }],
    now,
  )
  expect(clocks.map(({ host }) => host)).toEqual(['beats', 'agent ahead', 'device ahead', 'device behind'])
  expect(wordsOfClocks(clocks)).toEqual([
    'clocks of other hosts are off, or their zones: beats 730 days ahead, agent ahead 2 days ahead, device ahead 65 minutes ahead; set them there',
    'all events come late, or the clock is behind: device behind 60 minutes behind',
  ])
  expect(wordsOfClocks([])).toEqual([])
})

test('what a part says of its settings is taken from its log, the newest of it', () => {
  const fatal = (words: string) =>
    JSON.stringify({
      level: 'fatal',
      err: { message: words },
      msg: `cannot start: ${words} (mend the file, then start again)`,
    })
  const log = [
    fatal('/etc/logstack/config/alerter.yml:3: old'),
    fatal('/etc/logstack/config/alerter.yml:48: unknown setting [x]'),
  ]
  expect(refusalIn(log.join('\n'), 'alerter')).toBe('/etc/logstack/config/alerter.yml:48: unknown setting [x]')
  expect(refusalIn(log.join('\n'), 'search')).toBeUndefined()
  const quoted =
    'cannot start: /c/alerter.yml:48: setting [x] is "soon": expected number (mend the file, then check it)'
  expect(refusalIn(JSON.stringify({ msg: quoted }), 'alerter')).toBe(
    '/c/alerter.yml:48: setting [x] is "soon": expected number',
  )
})

// As nft 1.1.3 listed the chain on a host where a container had gone with its network by force.
const forwards =
  '{"nftables": [{"metainfo": {"version": "1.1.3", "json_schema_version": 1}}, {"chain": {"family": "inet", "table": "netavark", "name": "NETAVARK-HOSTPORT-DNAT", "handle": 6}}, {"rule": {"family": "inet", "table": "netavark", "chain": "NETAVARK-HOSTPORT-DNAT", "handle": 52, "expr": [{"match": {"op": "==", "left": {"payload": {"protocol": "tcp", "field": "dport"}}, "right": 9200}}, {"jump": {"target": "nv_2b917866_10_89_0_0_nm24_dnat"}}]}}]}'

test('the ports that podman forwards are told with the handles of their rules', () => {
  expect(forwardedPorts(forwards)).toEqual([{ handle: 52, port: 'tcp 9200' }])
})

const companionOutput = (timer: string, path: string): string => `Id=logstack.service
LoadState=loaded
ActiveState=active

Id=logstack-certs.timer
LoadState=loaded
ActiveState=${timer}
UnitFileState=enabled

Id=logstack-password.path
LoadState=loaded
ActiveState=active
UnitFileState=${path}

Id=logstack-doctor.service
LoadState=loaded
ActiveState=failed
Result=exit-code
UnitFileState=static

Id=logstack-agent.service
LoadState=not-found
ActiveState=inactive
`

test('helpers that are stopped, disabled or failed are told; what was left out at the installation is none', () => {
  const troubles = companionTroubles(parseUnitStates(companionOutput('inactive', 'disabled')))
  expect(troubles.map(({ problem, commands }) => [problem, commands.map((argv) => argv.slice(1).join(' '))])).toEqual([
    ['logstack-certs.timer is inactive', ['start logstack-certs.timer']],
    ['logstack-password.path does not start with the host (disabled)', ['enable --now logstack-password.path']],
    [
      'logstack-doctor.service failed (exit-code)',
      ['reset-failed logstack-doctor.service', 'start --no-block logstack-doctor.service'],
    ],
  ])
  const stopped = companionOutput('inactive', 'enabled').replace('ActiveState=active', 'ActiveState=inactive')
  expect(companionTroubles(parseUnitStates(stopped)).map(({ unit }) => unit)).toEqual(['logstack-doctor.service'])
})

test('the journal is shown of a helper that failed, and of no other', async () => {
  const asked: string[] = []
  const look = new Observations(stack)
  look.command = async (...argv) => {
    asked.push(argv.filter((word) => word.startsWith('--unit=')).join())
    const stdout = argv[0] === 'systemctl' ? companionOutput('inactive', 'enabled') : 'it failed: no such file\n\n'
    return { exitCode: 0, stdout, stderr: '' }
  }
  expect(await companionUnits.diagnose({ stack, look })).toMatchObject({
    status: 'fault',
    evidence: [
      'logstack-certs.timer is inactive',
      'logstack-doctor.service failed (exit-code)',
      'logstack-doctor.service: it failed: no such file',
    ],
  })
  expect(asked).toEqual(['', '--unit=logstack-doctor.service'])
})

test("podman's name server: one that is gone, one that is stuck, and one that forgot are told apart", () => {
  // As netavark 1.14 writes it: the addresses of the server, then a line a container.
  const text = [
    '10.89.0.1',
    `${'4'.repeat(64)} 10.89.0.4  logstack-endpoint-manager,logstack-endpoint-manager,4bf6ab13958f`,
    `${'f'.repeat(64)} 10.89.0.10 fd00::a logstack-search,logstack-search,f5dff12cbe4a 1.1.1.1`,
    '',
  ].join('\n')
  const names = namesIn(text)
  expect(names).toEqual(['logstack-endpoint-manager', 'logstack-search'])
  expect(namesIn('10.89.0.1\n')).toEqual([])
  const server = { address: '10.89.0.1', names, process: undefined }
  expect(judgeNames(server, 'known')).toMatchObject({ status: 'healthy' })
  expect(judgeNames(server, 'refused')).toMatchObject({
    problem: "podman's name server is gone",
    evidence: [expect.stringContaining('refuses questions'), expect.stringContaining('names no process')],
  })
  const stuck = { ...server, process: { pid: 2777, isStopped: true } }
  expect(judgeNames(stuck, 'silent')).toMatchObject({
    problem: "podman's name server is stuck",
    evidence: [expect.stringContaining('does not answer'), 'aardvark-dns is process 2777, stopped'],
  })
  expect(judgeNames(stuck, 'unknown')).toMatchObject({
    problem: "podman's name server does not know logstack-endpoint-manager",
  })
})

test('no fault explains itself, through others either: one of those that are found is always a cause', () => {
  const explainers = new Map(faults.map(({ name, explainedBy }) => [name, explainedBy]))
  const chains = (name: string, before: readonly string[]): string[][] =>
    before.includes(name)
      ? [[...before, name]]
      : (explainers.get(name) ?? []).flatMap((cause) => chains(cause, [...before, name]))
  expect(faults.flatMap(({ name }) => chains(name, []))).toEqual([])
  const unknown = faults.flatMap(({ explainedBy }) => explainedBy).filter((name) => !explainers.has(name))
  expect(unknown).toEqual([])
})
