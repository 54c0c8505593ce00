import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestServices, type TestServices } from '../../testing/search-services.ts'
import { eventMapping, events, knownScripts } from './known-scripts.fixture.ts'
import { openStatedAnswers, type StatedAnswers, type Tally } from './stated-answers.fixture.ts'
import { documents, randomScripts, scriptedMapping } from './stated-scripts.fixture.ts'

// How many scripts are tried, and which.
const runs = Number(process.env['LOGSTACK_FUZZ_RUNS'] ?? 150)
const seed = Number(process.env['LOGSTACK_SEED'] ?? 7)
const documentCount = 250
const failuresMost = 5
const newTally = (): Tally => ({
  scripts: 0,
  compiled: 0,
  translated: 0,
  compared: 0,
  unsure: 0,
  faults: 0,
  failures: [],
})

let services: TestServices
let known: StatedAnswers
let random: StatedAnswers

beforeAll(async () => {
  services = await openTestServices()
  known = await openStatedAnswers(services, 'events', eventMapping, events)
  const written = fc.sample(documents, { numRuns: documentCount, seed })
  random = await openStatedAnswers(services, 'scripted', scriptedMapping, written)
})
afterAll(() => services.close())

it('says the scripts that people have', async () => {
  const tally = newTally()
  const found: string[] = []
  for (const [type, use, source] of knownScripts)
    if (await known.compare({ type, use, source }, tally)) found.push(source)
  expect(tally.compiled).toBe(knownScripts.length)
  expect(found).toEqual(knownScripts.filter(([, , , isStated]) => isStated).map(([, , source]) => source))
  expect(tally.failures).toEqual([])
})

it('says of every document what the interpreter says of it, or leaves it to it', async () => {
  const tally = newTally()
  for (const script of fc.sample(randomScripts, { numRuns: runs, seed })) {
    await random.compare(script, tally)
    if (tally.failures.length >= failuresMost) break
  }
  expect(tally.failures).toEqual([])
  expect(tally.translated, JSON.stringify(tally)).toBeGreaterThan(runs / 4)
  expect(tally.compared, JSON.stringify(tally)).toBeGreaterThan(tally.unsure)
  expect(tally.faults).toBeGreaterThan(0)
}, 7_200_000)
