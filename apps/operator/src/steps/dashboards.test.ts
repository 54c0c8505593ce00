import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { dashboards as dashboardsFault } from '../checks/faults/dashboards.ts'
import { dashboards as verifyDashboards } from '../checks/verify/dashboards.ts'
import { type PartAnswer, PartClient, type PartRequest } from '../clients/part-client.ts'
import { Observations } from '../doctor/observations.ts'
import type { Stack } from '../stack.ts'
import { runStep, testStack } from '../testing/test-stack.ts'
import { endpointDashboards, searchDashboards } from './dashboards.ts'
import { earlierContents } from './earlier-objects.ts'
import { contentHash, differing, importedFileOf, missingAmong, shippedIn, withReferences } from './shipped-objects.ts'

/** The saved objects' API of a dashboard that holds its objects in memory, by `type/id`. */
class MemoryDashboard extends PartClient {
  readonly objects = new Map<string, string>()
  questions = 0

  constructor() {
    super({ name: 'dashboard', url: 'https://127.0.0.1:1', ca: '', credentials: { username: 'a', password: 'b' } })
  }

  override async request<T>({ path, body, bytes }: PartRequest): Promise<PartAnswer<T>> {
    if (path.endsWith('_bulk_get')) {
      this.questions += 1
      const keys = body as { type: string; id: string }[]
      const saved_objects = keys.map((key) => {
        const line = this.objects.get(`${key.type}/${key.id}`)
        return line === undefined ? { ...key, error: { statusCode: 404 } } : { ...JSON.parse(line), updated_at: 'now' }
      })
      return { status: 200, body: { saved_objects } as T }
    }
    const lines = (bytes?.content.toString('utf8') ?? '').split(/\r?\n/).filter((line) => line.startsWith('{'))
    const errors = lines.flatMap((line) => this.#store(line, path.endsWith('overwrite=true')))
    return { status: 200, body: { success: errors.length === 0, errors } as T }
  }

  #store(line: string, overwrite: boolean): unknown[] {
    const { type, id, references } = JSON.parse(line) as {
      type: string
      id: string
      references: { type: string; id: string }[]
    }
    if (references.some((one) => !this.objects.has(`${one.type}/${one.id}`))) {
      return [{ type, id, error: { type: 'missing_references' } }]
    }
    if (!overwrite && this.objects.has(`${type}/${id}`)) return [{ type, id, error: { type: 'conflict' } }]
    this.objects.set(`${type}/${id}`, line)
    return []
  }
}

let temporary: ReturnType<typeof testStack>
let stack: Stack
let dashboard: MemoryDashboard

beforeEach(() => {
  temporary = testStack()
  dashboard = new MemoryDashboard()
  stack = { ...temporary.stack, clients: { ...temporary.stack.clients, dashboard: () => dashboard } }
})

afterEach(() => temporary.remove())

const keysOf = () => shippedIn(stack, 'search').map(({ key }) => key)
const aDashboard = () => keysOf().filter((key) => key.startsWith('dashboard/'))[1] ?? ''
const diagnose = () => dashboardsFault.diagnose({ stack, look: new Observations(stack) })

test('everything that is shipped is imported once, and nothing is done again', async () => {
  expect(await runStep(searchDashboards, stack)).toBe(true)
  expect([...dashboard.objects.keys()].sort()).toEqual([...keysOf()].sort())
  expect(await runStep(searchDashboards, stack)).toBe(false)
})

test('what a person deleted stays deleted, what they edited stays edited', async () => {
  await runStep(searchDashboards, stack)
  const [edited = ''] = keysOf()
  dashboard.objects.delete(aDashboard())
  edit(edited)
  const own = dashboard.objects.get(edited)
  expect(await runStep(searchDashboards, stack)).toBe(false)
  expect(dashboard.objects.has(aDashboard())).toBe(false)
  expect(dashboard.objects.get(edited)).toBe(own)
})

/** Changes the title of a stored object, as a person does. */
function edit(key: string, title = 'mine'): void {
  const object = JSON.parse(dashboard.objects.get(key) ?? '') as { attributes: object }
  dashboard.objects.set(key, JSON.stringify({ ...object, attributes: { ...object.attributes, title } }))
}

/** As an older version left it: what it shipped under this key had another title. */
function ageImport(key: string): void {
  edit(key, 'older')
  const file = importedFileOf(stack, 'search')
  const before = JSON.parse(readFileSync(file, 'utf8')) as { contents: Record<string, string> }
  const older = contentHash(JSON.parse(dashboard.objects.get(key) ?? '') as object)
  writeFileSync(file, JSON.stringify({ ...before, contents: { ...before.contents, [key]: older } }))
}

test('a newer version takes the place of what nobody changed; what somebody did is kept, and doctor says so', async () => {
  await runStep(searchDashboards, stack)
  await runStep(endpointDashboards, stack)
  const [unchanged = '', changed = ''] = keysOf().filter((key) => key.startsWith('dashboard/'))
  ageImport(unchanged)
  ageImport(changed)
  edit(changed)
  expect(await searchDashboards.diagnose(stack)).toMatchObject({
    plan: [`import ${unchanged} in place of an older version`, expect.stringContaining('write ')],
  })
  expect(await runStep(searchDashboards, stack)).toBe(true)
  const shipped = shippedIn(stack, 'search').find(({ key }) => key === unchanged)
  expect(dashboard.objects.get(unchanged)).toBe(shipped?.line)
  expect(JSON.parse(dashboard.objects.get(changed) ?? '')).toMatchObject({ attributes: { title: 'mine' } })
  const detail = expect.stringMatching(new RegExp(`kept as they are, though newer ones are shipped: ${changed}$`))
  expect(await diagnose()).toMatchObject({ status: 'healthy', detail })
  expect(await runStep(searchDashboards, stack)).toBe(false)
})

test('an installation of before versions were written down gets the newer version of what nobody changed', async () => {
  await runStep(searchDashboards, stack)
  const [key = '', hashes = []] =
    Object.entries(earlierContents).find(([one]) => keysOf().includes(one) && one.startsWith('dashboard/')) ?? []
  const object = shippedIn(stack, 'search').find((one) => one.key === key)
  if (!object) throw new Error('no earlier version is known')
  const file = importedFileOf(stack, 'search')
  const { imported } = JSON.parse(readFileSync(file, 'utf8')) as { imported: string[] }
  writeFileSync(file, JSON.stringify({ version: 1, imported }))
  const present = new Map([[key, hashes[0] ?? '']])
  const known = { keys: new Set(imported), contents: new Map<string, string>() }
  expect(differing([object], present, known)).toEqual({ outdated: [object], kept: [] })
  expect(differing([object], new Map([[key, 'changed']]), known)).toEqual({ outdated: [], kept: [object] })
  // What was imported by now is written down, and what differs from it afterwards was changed.
  expect(await runStep(searchDashboards, stack)).toBe(true)
  edit(key)
  expect(await searchDashboards.diagnose(stack)).toEqual({ done: true })
})

test('the content of an object is the same in any order of its members, and another when a reference is', () => {
  const references = [{ name: 'a', type: 'index-pattern', id: 'logs-*' }]
  const content = contentHash({ attributes: { a: 1, b: [{ c: 2, d: null }] }, references })
  expect(contentHash({ references, attributes: { b: [{ d: null, c: 2 }], a: 1 } })).toBe(content)
  expect(contentHash({ attributes: { a: 1, b: [{ c: 2, d: null }] } })).not.toBe(content)
  expect(contentHash({ attributes: { a: 1, b: [{ c: 2 }] }, references })).not.toBe(content)
})

test('a dashboard that a newer version ships is imported with what it needs, and named by doctor until it is', async () => {
  await runStep(searchDashboards, stack)
  const fresh = shippedIn(stack, 'search').find(({ key }) => key === aDashboard())
  if (!fresh) throw new Error('nothing is shipped')
  // As an older version left it: this one was not shipped then, and what it needs was deleted since.
  for (const key of [fresh.key, ...fresh.references]) dashboard.objects.delete(key)
  const file = importedFileOf(stack, 'search')
  const before = JSON.parse(readFileSync(file, 'utf8')) as { imported: string[] }
  const imported = before.imported.filter((key) => key !== fresh.key)
  writeFileSync(file, JSON.stringify({ ...before, imported }))
  expect(await searchDashboards.diagnose(stack)).toMatchObject({
    done: false,
    plan: [`import ${fresh.key}`, expect.anything()],
  })
  // The other folder has nothing at all here.
  expect(await diagnose()).toMatchObject({
    status: 'fault',
    problem: expect.stringContaining('1 of the shipped objects of search were never imported'),
    evidence: expect.arrayContaining([`search: ${fresh.key} is not in the dashboard`]),
  })
  expect(await runStep(searchDashboards, stack)).toBe(true)
  expect([...dashboard.objects.keys()].sort()).toEqual([...keysOf()].sort())
})

test('an installation that wrote down nothing gets what is missing; one whose objects are all gone gets all of them', async () => {
  await runStep(searchDashboards, stack)
  dashboard.objects.delete(aDashboard())
  rmSync(importedFileOf(stack, 'search'))
  expect(await runStep(searchDashboards, stack)).toBe(true)
  expect(dashboard.objects.has(aDashboard())).toBe(true)
  dashboard.objects.clear()
  expect(await diagnose()).toMatchObject({
    problem: expect.stringContaining('none of the shipped dashboards of search is there'),
  })
  expect(await runStep(searchDashboards, stack)).toBe(true)
  expect(dashboard.objects.size).toBe(keysOf().length)
})

test('index patterns, which another step makes, do not hide that all else was lost', async () => {
  await runStep(searchDashboards, stack)
  for (const key of keysOf()) if (!key.startsWith('index-pattern/')) dashboard.objects.delete(key)
  expect(dashboard.objects.size).toBeGreaterThan(0)
  expect(await diagnose()).toMatchObject({
    problem: expect.stringContaining('none of the shipped dashboards of search is there'),
  })
  expect(await runStep(searchDashboards, stack)).toBe(true)
  expect([...dashboard.objects.keys()].sort()).toEqual([...keysOf()].sort())
})

test('a damaged list of what was imported is named with its file and the way on, and nothing is imported meanwhile', async () => {
  await runStep(searchDashboards, stack)
  dashboard.objects.delete(aDashboard())
  const file = importedFileOf(stack, 'search')
  for (const garbage of ['', '{"imported": ["dash', '<html>', '[]', '{"imported": "all"}', '\u0000\u0001']) {
    writeFileSync(file, garbage)
    for (const look of [diagnose, () => searchDashboards.diagnose(stack)]) {
      await expect(look()).rejects.toMatchObject({
        code: 'file_invalid',
        message: expect.stringContaining(file),
        fix: expect.stringContaining(`mv "${file}"`),
      })
    }
  }
  expect(dashboard.objects.has(aDashboard())).toBe(false)
})

test('the dashboard is asked once for each folder, by doctor and by verify', async () => {
  await runStep(searchDashboards, stack)
  await runStep(endpointDashboards, stack)
  for (const look of [diagnose, () => verifyDashboards.diagnose(stack)]) {
    dashboard.questions = 0
    await look()
    expect(dashboard.questions).toBe(2)
  }
})

test('what an object needs comes before it, in circles too, and comes along only when it is shipped', () => {
  const object = (key: string, references: string[]) => ({ key, type: 't', id: key, references, hash: '', line: '' })
  const all = [object('a', ['b']), object('b', ['c', 'not shipped']), object('c', ['a']), object('d', [])]
  expect(withReferences(all.slice(0, 1), all).map(({ key }) => key)).toEqual(['c', 'b', 'a'])
  expect(missingAmong(all, new Set(['a']), new Set(['b'])).map(({ key }) => key)).toEqual(['c', 'd'])
  expect(missingAmong(all, new Set(), new Set(['b']))).toHaveLength(4)
})
