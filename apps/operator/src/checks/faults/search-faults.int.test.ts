import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { agentIndices, alertRulesIndex, healthIndex, wazuhAgentsIndex } from '@logstack/contracts'
import { ensureHiddenIndex } from '@logstack/search-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Fault } from '../../doctor/define-fault.ts'
import { type Examined, examine } from '../../doctor/examine.ts'
import { Observations } from '../../doctor/observations.ts'
import { type RepairRecord, repairAll } from '../../doctor/repair.ts'
import { purgeChoices } from '../../evidence/purge-choices.ts'
import { recordHealth } from '../../health/record.ts'
import { type StackOnSearch, stackOnSearch } from '../../testing/stack-on-search.ts'
import { addressFields } from './address-fields.ts'
import { adminPassword } from './admin-password.ts'
import { agentServerUrl } from './agent-server-url.ts'
import { agentSpool } from './agent-spool.ts'
import { agents } from './agents.ts'
import { alertRules } from './alert-rules.ts'
import { backups } from './backups.ts'
import { diskBlock } from './disk-block.ts'
import { indexTemplates } from './index-templates.ts'
import { primaries } from './primaries.ts'
import { replicas } from './replicas.ts'
import { servicePasswords } from './service-passwords.ts'
import { windowsForwarding } from './windows-forwarding.ts'

const faults = [
  adminPassword,
  servicePasswords,
  diskBlock,
  primaries,
  replicas,
  indexTemplates,
  addressFields,
  agentServerUrl,
  agentSpool,
  agents,
  alertRules,
  windowsForwarding,
  backups,
]

let on: StackOnSearch

beforeAll(async () => {
  on = await stackOnSearch()
  await ensureHiddenIndex(client(), agentIndices.agents)
  await ensureHiddenIndex(client(), agentIndices.settings)
  await ensureHiddenIndex(client(), alertRulesIndex)
  await put(`/${agentIndices.settings.name}/_doc/settings`, {
    fleet_server_hosts: ['https://192.0.2.1:8220'],
    source: 'start',
    updated_at: new Date().toISOString(),
  })
}, 300_000)

afterAll(() => on.remove(), 120_000)

const client = () => on.stack.clients.search()
const put = (path: string, body: unknown) => client().request({ method: 'PUT', path, query: { refresh: true }, body })
const send = (path: string, body: unknown) => client().request({ method: 'POST', path, query: { refresh: true }, body })

/** A look in which every check came to its end: on a busy machine one may run out of its time, and then all look again. */
async function look(checks: readonly Fault[] = faults): Promise<Examined[]> {
  for (;;) {
    const examined = await examine(on.stack, checks)
    if (!examined.some(({ outcome }) => outcome.status === 'unknown' && /no answer/.test(outcome.why))) return examined
  }
}

/** The names of what is found, and nothing that could not be looked at. */
async function found(): Promise<string[]> {
  const examined = await look()
  expect(examined.filter(({ outcome }) => outcome.status === 'unknown')).toEqual([])
  return examined.flatMap(({ fault, outcome }) => (outcome.status === 'fault' ? [fault.name] : []))
}

/** Mends one fault that was found. */
async function mend(fault: Fault): Promise<RepairRecord | undefined> {
  for (;;) {
    const records: RepairRecord[] = []
    await repairAll(on.stack, [fault], {
      talk: {
        agree: async () => true,
        progress: { waiting: () => undefined },
        ended: (record) => void records.push(record),
      },
    })
    if (records.length > 0) return records[0]
  }
}

test('a healthy search has none of the faults', async () => {
  expect(await found()).toEqual([])
})

test('replicas on one node are told from primaries, and set to 0 with the template that made them', async () => {
  const template = {
    index_patterns: ['copied-*'],
    priority: 7,
    template: { settings: { 'index.number_of_replicas': 2 } },
  }
  await client().request({ method: 'PUT', path: '/_index_template/copied', body: template })
  await put('/copied-1/_doc/1', { a: 1 })
  expect(await found()).toEqual(['replicas'])
  expect(await mend(replicas)).toMatchObject({ end: 'mended' })
  await put('/copied-2/_doc/1', { a: 1 })
  expect(await found()).toEqual([])
}, 300_000)

test('the block of a full disk is lifted', async () => {
  const block = { 'index.blocks.read_only_allow_delete': true }
  await client().request({ method: 'PUT', path: '/copied-1/_settings', body: block })
  expect(await found()).toEqual(['disk-block'])
  await expect(put('/copied-1/_doc/2', { a: 2 })).rejects.toThrow('TOO_MANY_REQUESTS/12')
  expect(await mend(diskBlock)).toMatchObject({ end: 'mended' })
  await put('/copied-1/_doc/2', { a: 2 })
}, 300_000)

test('a missing index template is put back', async () => {
  await client().request({ method: 'DELETE', path: '/_index_template/logstack-winlogbeat' })
  expect(await found()).toEqual(['index-templates'])
  expect(await mend(indexTemplates)).toMatchObject({ end: 'mended', detail: expect.stringMatching(/^\d+ present$/) })
}, 300_000)

test('words in address fields: those that mean this host are replaced, others are left to a person', async () => {
  const mappings = { properties: { source: { properties: { ip: { type: 'keyword' } } } } }
  await client().request({ method: 'PUT', path: '/winlogbeat-11.06.2021', body: { mappings } })
  await send('/winlogbeat-11.06.2021/_doc', { source: { ip: 'LOCAL' } })
  await send('/winlogbeat-11.06.2021/_doc', { source: { ip: '192.0.2.7' } })
  expect(await found()).toEqual(['address-fields'])
  expect(await mend(addressFields)).toMatchObject({ end: 'mended' })
  const { body } = await client().request<{ count: number }>({
    method: 'POST',
    path: '/winlogbeat-11.06.2021/_count',
    body: { query: { term: { 'source.ip': '127.0.0.1' } } },
  })
  expect(body.count).toBe(1)
  await put('/winlogbeat-11.06.2021/_doc/odd', { source: { ip: 'printer' } })
  expect(await mend(addressFields)).toMatchObject({ end: 'failed', detail: expect.stringContaining('printer') })
  await client().request({ method: 'DELETE', path: '/winlogbeat-11.06.2021' })
}, 300_000)

test('Windows hosts with error 2150859027 are named, with their version and the guide', async () => {
  const event = {
    '@timestamp': new Date().toISOString(),
    message: 'The WinRM client cannot process the request. Error number: 2150859027 0x80338013',
    host: { name: 'dc1', os: { name: 'Windows Server 2019', version: '10.0', type: 'windows' } },
    winlog: { channel: 'Microsoft-Windows-Forwarding/Operational' },
  }
  await send('/winlogbeat-2026/_doc', event)
  // The same number in a line of this stack's own log says nothing.
  await send('/winlogbeat-2026/_doc', { ...event, host: { name: 'stack' }, winlog: undefined })
  const [seen] = (await look()).filter(({ outcome }) => outcome.status === 'fault')
  expect(seen?.outcome).toMatchObject({
    problem: 'a Windows host reports error 2150859027: dc1',
    evidence: [expect.stringContaining('dc1 (Windows Server 2019 10.0)')],
    plan: [expect.stringContaining('4494462')],
  })
  await client().request({ method: 'DELETE', path: '/winlogbeat-2026' })
}, 300_000)

test('what a full disk could give back is counted by age, and nothing is deleted for it', async () => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  const settings = { mappings: { properties: { '@timestamp': { type: 'date' } } } }
  for (const [index, days] of [
    ['aged-old', 400],
    ['aged-young', 45],
  ] as const) {
    await client().request({ method: 'PUT', path: `/${index}`, body: settings })
    await send(`/${index}/_doc`, { '@timestamp': daysAgo(days) })
  }
  const context = { stack: on.stack, look: new Observations(on.stack) }
  const choices = await purgeChoices(context)
  expect(choices.map(({ age, events }) => [age, events])).toEqual([
    ['365d', 1],
    ['30d', 2],
  ])
  for (const index of ['aged-old', 'aged-young']) {
    const { body } = await client().request<{ count: number }>({ method: 'GET', path: `/${index}/_count` })
    expect(body.count).toBe(1)
    await client().request({ method: 'DELETE', path: `/${index}` })
  }
}, 300_000)

test('a policy whose last snapshot failed is named with the reason, until one succeeds; policies that rest are a note', async () => {
  const policy = '/_slm/policy/nightly'
  const config = { indices: 'backed-up' }
  await put('/backed-up/_doc/1', { a: 1 })
  expect((await look([backups]))[0]?.outcome).toMatchObject({
    status: 'healthy',
    detail: expect.stringContaining('no policy'),
  })
  const order = (path: string, body: unknown) => client().request({ method: 'PUT', path, body })
  await order('/_snapshot/nights', { type: 'fs', settings: { location: 'nights' } })
  await order(policy, {
    schedule: '0 30 1 * * ?',
    name: '<night-{now/d}>',
    repository: 'nights',
    config: { indices: 'absent' },
  })
  const outcomeAfter = async (member: string) => {
    await client().request({ method: 'POST', path: `${policy}/_execute`, accept: [404] })
    for (;;) {
      const { body } = await client().request<Record<string, Record<string, unknown>>>({ method: 'GET', path: policy })
      if (body['nightly']?.[member] !== undefined) return (await look([backups]))[0]?.outcome
    }
  }
  expect(await outcomeAfter('last_failure')).toMatchObject({
    problem: 'the last snapshot of [nightly] failed',
    evidence: [expect.stringMatching(/^nightly: night-\S+ of \S+ in \[nights\]: .*absent.*; there is no good one$/)],
    plan: expect.arrayContaining(['POST /_slm/policy/nightly/_execute']),
  })
  await order(policy, { schedule: '0 30 1 * * ?', name: '<night-{now/d}>', repository: 'nights', config })
  expect(await outcomeAfter('last_success')).toMatchObject({ detail: expect.stringMatching(/^1 policy, newest of 20/) })
  await client().request({ method: 'POST', path: '/_slm/stop' })
  expect((await look([backups]))[0]?.outcome).toMatchObject({ status: 'information' })
  await client().request({ method: 'POST', path: '/_slm/start' })
  await client().request({ method: 'DELETE', path: policy })
  expect(await found()).toEqual([])
}, 300_000)

test('a bad rule file is named by its line, and moved aside', async () => {
  const file = join(on.stack.paths.root, 'bad.yml')
  writeFileSync(file, 'name: [')
  const error = { message: 'unexpected end', line: 1, column: 8 }
  await put(`/${alertRulesIndex.name}/_doc/bad`, {
    name: 'bad',
    kind: 'elastalert',
    type: 'any',
    file,
    state: 'broken',
    error,
  })
  expect(await found()).toEqual(['alert-rules'])
  const plan = expect.arrayContaining([`mv '${file}' '${file}.broken'`])
  expect(await mend(alertRules)).toMatchObject({ end: 'mended', plan })
}, 300_000)

test('a rule that can be read and fails when it runs is a note', async () => {
  const rule = { name: 'Silent host', kind: 'elastalert', type: 'flatline', file: '/r/silent.yml', state: 'running' }
  const path = `/${alertRulesIndex.name}/_doc/failing`
  await put(path, { ...rule, error: { message: 'Fielddata is disabled on [host.name] in [logs-app]' } })
  expect((await look([alertRules]))[0]?.outcome).toEqual({
    status: 'information',
    detail: 'Silent host failed at its last run: Fielddata is disabled on [host.name] in [logs-app]',
  })
  await put(path, { ...rule, error: null })
  expect((await look([alertRules]))[0]?.outcome).toMatchObject({ status: 'healthy' })
}, 300_000)

test('agents: offline, broken and newer ones are told apart; waiting events are another fault', async () => {
  const now = new Date().toISOString()
  const agent = { active: true, status: 'online', enrolled_at: now, last_checkin: now, agent_version: '0.1.0' }
  const path = (id: string) => `/${agentIndices.agents.name}/_doc/${id}`
  await put(path('a'), { ...agent, host_name: 'silent', status: 'offline', last_checkin: '2026-01-01T00:00:00Z' })
  await put(path('b'), { ...agent, host_name: 'new', agent_version: '9.0.0' })
  const output = { id: 'default', type: 'output', status: 'DEGRADED', message: '42 events wait: refused' }
  await put(path('c'), {
    ...agent,
    host_name: 'late',
    status: 'unhealthy',
    components: [{ id: 'logstack', units: [output] }],
  })
  const seen = await look()
  const of = (name: string) => seen.find(({ fault }) => fault.name === name)?.outcome
  expect(of('agents')).toMatchObject({ problem: '2 of 3 agents: 1 offline, 1 newer than the server' })
  expect(of('agent-spool')).toMatchObject({
    evidence: ['late: 42 events wait: refused'],
    meaning: expect.stringContaining('none is lost'),
  })
  const full = { ...output, message: '43 events wait', payload: { reason: 'spool_full' } }
  await client().request({
    method: 'POST',
    path: `/${agentIndices.agents.name}/_update/c`,
    query: { refresh: true },
    body: { doc: { components: [{ id: 'logstack', units: [full] }] } },
  })
  const disk = {
    id: 'data directory',
    type: 'output',
    status: 'FAILED',
    message: 'voll',
    payload: { reason: 'disk_full' },
  }
  await put(path('d'), {
    ...agent,
    host_name: 'small',
    status: 'unhealthy',
    components: [{ id: 'agent', units: [disk] }],
  })
  const later = (await look()).find(({ fault }) => fault.name === 'agent-spool')?.outcome
  expect(later).toMatchObject({ meaning: expect.stringContaining('whose spool is full lose') })
  expect((await look([agents]))[0]?.outcome).toMatchObject({
    evidence: expect.arrayContaining(['small (d) is broken: data directory: voll']),
    plan: expect.arrayContaining([expect.stringContaining('free space on the disk that holds the data of the agent')]),
  })
  await ensureHiddenIndex(client(), wazuhAgentsIndex)
  const wazuh = { ip: 'any', key: 'k'.repeat(64), added: now, added_by: 'import' }
  const wazuhPath = (id: string) => `/${wazuhAgentsIndex.name}/_doc/${id}`
  await put(wazuhPath('001'), { ...wazuh, name: 'pc-1' })
  await put(wazuhPath('002'), { ...wazuh, name: 'pc-2', last_seen: now, connected: true })
  await put(wazuhPath('003'), { ...wazuh, name: 'pc-3', last_seen: now, connected: false })
  await put(wazuhPath('004'), { ...wazuh, name: 'pc-4', last_seen: '2026-01-01T00:00:00Z', connected: true })
  const silent = (await look([agents]))[0]?.outcome
  expect(silent).toMatchObject({
    problem: '4 of 7 agents: 2 offline, 1 broken, 1 newer than the server',
    evidence: expect.arrayContaining(['pc-4 (004) is offline since 2026-01-01T00:00:00.000Z']),
    plan: expect.arrayContaining(['# a Wazuh agent that is gone for good: ./logstack agent remove-wazuh ID']),
  })
  await client().request({ method: 'DELETE', path: `/${wazuhAgentsIndex.name}` })
  for (const id of ['a', 'b', 'c', 'd'])
    await client().request({ method: 'DELETE', path: path(id), query: { refresh: true } })
  expect(await found()).toEqual([])
}, 300_000)

test('drift of a part: its account gets the stored password again, the part starts anew', async () => {
  await client().request({
    method: 'POST',
    path: '/_security/user/logstack_alerter/_password',
    body: { password: 'changed behind the store' },
  })
  expect(await found()).toEqual(['service-passwords'])
  expect(await mend(servicePasswords)).toMatchObject({ end: 'mended' })
  expect(on.orders).toEqual(['stop alerter', 'start alerter'])
}, 300_000)

test('what the checks saw is an index: one document a check, with the beginning of its status', async () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 12, minute))
  const examined = faults.map((fault) => ({
    fault,
    outcome: { status: 'healthy', detail: 'works' } as const,
    elapsedMs: 1,
  }))
  await recordHealth(client(), examined, { now: at(0) })
  await recordHealth(client(), examined.slice(1), { now: at(5) })
  const { body } = await client().request<{ hits: { hits: { _id: string; _source: { since: string } }[] } }>({
    method: 'GET',
    path: `/${healthIndex.name}/_search`,
    query: { size: 100 },
  })
  expect(body.hits.hits.map(({ _id }) => _id).sort()).toEqual(
    faults
      .slice(1)
      .map(({ name }) => name)
      .sort(),
  )
  expect(new Set(body.hits.hits.map(({ _source }) => _source.since))).toEqual(new Set([at(0).toISOString()]))
}, 300_000)

test('drift of the administrator is seen by 401 alone; a login that search slows down says nothing', async () => {
  const behind = { password: 'changed behind the store' }
  await client().request({ method: 'POST', path: '/_security/user/elastic/_password', body: behind })
  const outcomeOf = async () => (await look([adminPassword])).map(({ outcome }) => outcome)
  expect(await outcomeOf()).toMatchObject([
    {
      status: 'fault',
      evidence: expect.arrayContaining([expect.stringContaining('unable to authenticate user [elastic]')]),
    },
  ])
  // The stored password again and again is no guess; others are.
  let guesses = 0
  const guess = async () => {
    guesses += 1
    const guesser = on.stack.clients.searchAs('elastic', `guess ${guesses}`)
    await guesser.request({ method: 'GET', path: '/_security/_authenticate', accept: [401, 429] })
    return (await outcomeOf())[0]
  }
  await expect
    .poll(guess, { timeout: 150_000, interval: 0 })
    .toMatchObject({ status: 'unknown', why: expect.stringContaining('slows down') })
  const back = on.stack.clients.searchAs('elastic', behind.password)
  await expect
    .poll(
      async () => {
        const path = '/_security/user/elastic/_password'
        const answer = await back.request({
          method: 'POST',
          path,
          body: { password: on.search.password },
          accept: [429],
        })
        return answer.status
      },
      { timeout: 200_000 },
    )
    .toBe(200)
}, 400_000)
