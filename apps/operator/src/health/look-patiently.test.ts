import { expect, test } from 'vitest'
import { defineFault, type FaultOutcome } from '../doctor/define-fault.ts'
import { testStack } from '../testing/test-stack.ts'
import { lookPatiently } from './look-patiently.ts'

const { stack, remove } = testStack()
remove()

const faultOf = (name: string, explainedBy: readonly string[] = []) =>
  defineFault<null>({
    name,
    title: name,
    explainedBy,
    diagnose: async () => ({ status: 'healthy', detail: '' }),
    plan: () => [],
  })
const broken: FaultOutcome = { status: 'fault', problem: 'broken', evidence: [], meaning: '', plan: [] }
const late: FaultOutcome = { status: 'unknown', why: 'no answer within 6 s' }

test('what was late is looked at again, alone, and follows what the first look found', async () => {
  const faults = [faultOf('cause'), faultOf('effect', ['cause'])]
  const asked: string[][] = []
  const seen = await lookPatiently(stack, faults, async (_stack, wanted) => {
    asked.push(wanted.map(({ name }) => name))
    return wanted.map((fault) => ({
      fault,
      outcome: fault.name === 'effect' && asked.length === 1 ? late : broken,
      elapsedMs: 1,
    }))
  })
  expect(asked).toEqual([['cause', 'effect'], ['effect']])
  expect(seen.map(({ fault, outcome, follows }) => [fault.name, outcome.status, follows])).toEqual([
    ['cause', 'fault', undefined],
    ['effect', 'fault', 'cause'],
  ])
})

test('it gives up in the end, and asks again only for lack of time', async () => {
  let looks = 0
  const why = 'search does not answer: connect ECONNREFUSED'
  const always = (outcome: FaultOutcome) =>
    lookPatiently(stack, [faultOf('one')], async (_stack, wanted) => {
      looks += 1
      return wanted.map((fault) => ({ fault, outcome, elapsedMs: 1 }))
    })
  expect((await always(late))[0]?.outcome).toBe(late)
  expect(looks).toBe(3)
  await always({ status: 'unknown', why })
  expect(looks).toBe(4)
})
