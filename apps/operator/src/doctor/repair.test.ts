import { expect, test } from 'vitest'
import { testStack } from '../testing/test-stack.ts'
import { defineFault, type Fault, type FaultCheck } from './define-fault.ts'
import { type Examined, examine } from './examine.ts'
import { renderSummary } from './render.ts'
import { type RepairRecord, repairAll } from './repair.ts'

const { stack, remove } = testStack()
remove()

/** A world of faults that are there until somebody mends them, and of what their mending takes along. */
function world(broken: string[]) {
  const state = new Set(broken)
  const order: string[] = []
  const fault = (name: string, of: Partial<FaultCheck<string>> & { takes?: string[] } = {}): Fault =>
    defineFault<string>({
      name,
      title: name,
      diagnose: async () =>
        state.has(name)
          ? { status: 'fault', problem: `${name} is broken`, evidence: [], meaning: 'it does not work', found: name }
          : { status: 'healthy', detail: `${name} works` },
      plan: (_context, found) => [`mend ${found}`],
      repair: async () => {
        order.push(name)
        for (const gone of [name, ...(of.takes ?? [])]) state.delete(gone)
      },
      ...of,
    })
  return { fault, state, order }
}

const talk = (says = true) => {
  const records: RepairRecord[] = []
  return {
    records,
    agree: async () => says,
    progress: { waiting: () => undefined },
    ended: (record: RepairRecord) => void records.push(record),
  }
}

/** A fault that only a person, or time, can mend: `look` answers what is broken, or undefined once it is well. */
const left = (name: string, explainedBy: string[], look: () => string | undefined): Fault =>
  defineFault<null>({
    ...{ name, title: name, explainedBy },
    diagnose: async () => {
      const problem = look()
      return problem === undefined
        ? { status: 'healthy', detail: `${name} works` }
        : { status: 'fault', problem, evidence: [], meaning: 'late', found: null }
    },
    plan: () => ['read the guide'],
  })

const endsOf = (records: readonly RepairRecord[]) => records.map(({ check, end }) => [check, end])
const statusesOf = (last: readonly Examined[]) => last.map(({ outcome }) => outcome.status)

test('where the cause of what is shown is not among it, it is named', async () => {
  const { fault } = world(['lock', 'parts'])
  const examined = await examine(stack, [fault('lock'), fault('parts', { explainedBy: ['lock'] })])
  const shown = (...names: string[]): readonly Examined[] => examined.filter((one) => names.includes(one.fault.name))
  expect(renderSummary(shown('parts'))).toBe('the cause is not among these: lock')
  expect(renderSummary(shown('lock', 'parts'))).toBe('1 fault: lock')
  expect(renderSummary([])).toBe('no fault found')
})

test('a consequence is told under its cause, and goes with it', async () => {
  const { fault, order } = world(['lock', 'parts'])
  const faults = [fault('lock', { takes: ['parts'] }), fault('parts', { explainedBy: ['lock'] })]
  const seen = await examine(stack, faults)
  expect(seen.map(({ fault: { name }, follows }) => [name, follows])).toEqual([
    ['lock', undefined],
    ['parts', 'lock'],
  ])
  const { last } = await repairAll(stack, faults, { talk: talk() })
  expect(order).toEqual(['lock'])
  expect(statusesOf(last)).toEqual(['healthy', 'healthy'])
})

test('what stays after its cause is mended, is mended after it', async () => {
  const { fault, order } = world(['lock', 'parts'])
  const faults = [fault('parts', { explainedBy: ['lock'] }), fault('lock')]
  await repairAll(stack, faults, { talk: talk() })
  expect(order).toEqual(['lock', 'parts'])
})

test('a second fault that goes with the first, or follows from one that came since, is not mended for nothing', async () => {
  const { fault, state, order } = world(['one', 'two', 'three'])
  const faults = [
    fault('one', {
      repair: async () => {
        order.push('one')
        for (const gone of ['one', 'two']) state.delete(gone)
        state.add('late')
      },
    }),
    fault('two'),
    fault('three', { explainedBy: ['late'] }),
    fault('late', { takes: ['three'] }),
  ]
  const { last } = await repairAll(stack, faults, { talk: talk() })
  expect(order).toEqual(['one', 'late'])
  expect(last.every(({ outcome }) => outcome.status === 'healthy')).toBe(true)
})

test('a repair that throws, or does not show, is a failure; the others are mended', async () => {
  const { fault } = world(['one', 'two'])
  const broken = fault('one', {
    repair: async () => {
      throw new Error('no')
    },
  })
  const watcher = talk()
  const { last } = await repairAll(stack, [broken, fault('two')], { talk: watcher })
  expect(watcher.records).toMatchObject([
    { check: 'one', end: 'failed', detail: 'no' },
    { check: 'two', end: 'mended', detail: 'two works' },
    { check: 'one', end: 'failed', detail: 'no' },
  ])
  expect(last[0]?.outcome.status).toBe('fault')
})

test('what only others can mend may recover by itself once its cause is mended', async () => {
  const { fault, state } = world(['parts', 'agents'])
  let looks = 0
  const agents = left('agents', ['parts'], () => {
    looks += 1
    if (!state.has('parts') && looks > 3) state.delete('agents')
    return state.has('agents') ? 'events wait' : undefined
  })
  const watcher = talk()
  const { last } = await repairAll(stack, [fault('parts'), agents], { talk: watcher })
  expect(endsOf(watcher.records)).toEqual([['parts', 'mended']])
  expect(statusesOf(last)).toEqual(['healthy', 'healthy'])
})

test('what could not be looked at since a repair started it anew is looked at again', async () => {
  const { fault, state } = world(['parts'])
  let looks = 0
  const dashboards = defineFault<null>({
    name: 'dashboards',
    title: 'dashboards',
    diagnose: async () => {
      if (!state.has('parts')) looks += 1
      return looks > 1 ? { status: 'healthy', detail: '2' } : { status: 'unknown', why: 'connect ECONNREFUSED' }
    },
    plan: () => [],
  })
  const { last } = await repairAll(stack, [fault('parts'), dashboards], { talk: talk() })
  expect(statusesOf(last)).toEqual(['healthy', 'healthy'])
})

test('nothing is done that was not agreed to, or that needs a person', async () => {
  const { fault, order } = world(['one', 'two'])
  const two = left('two', [], () => 'two is broken')
  const watcher = talk(false)
  await repairAll(stack, [fault('one'), two], { talk: watcher })
  expect(order).toEqual([])
  expect(watcher.records.map(({ end }) => end)).toEqual(['left', 'left'])
})

test('a check that throws or hangs is unknown, not a fault', async () => {
  const { fault } = world([])
  const throwing = fault('throwing', {
    diagnose: async () => {
      throw new Error('cannot look')
    },
  })
  const hanging = fault('hanging', { limitMs: 10, diagnose: () => new Promise(() => undefined) })
  const seen = await examine(stack, [throwing, hanging])
  expect(seen.map(({ outcome }) => outcome)).toEqual([
    { status: 'unknown', why: 'cannot look' },
    { status: 'unknown', why: 'no answer within 0.01 s' },
  ])
})

test('a repair that failed is tried again once, when another fault was mended since', async () => {
  const { fault, state, order } = world(['one', 'two'])
  const one = fault('one', {
    repair: async () => {
      order.push('one')
      if (state.has('two')) throw new Error('two is in the way')
      state.delete('one')
    },
  })
  const watcher = talk()
  const { last } = await repairAll(stack, [one, fault('two')], { talk: watcher })
  expect(order).toEqual(['one', 'two', 'one'])
  expect(endsOf(watcher.records)).toEqual([
    ['one', 'failed'],
    ['two', 'mended'],
    ['one', 'mended'],
  ])
  expect(statusesOf(last)).toEqual(['healthy', 'healthy'])
})

test('a look that cannot be made while something settles ends nothing, and is no sign that it has', async () => {
  const { fault, state } = world(['parts', 'agents'])
  let looks = 0
  const agents = defineFault<null>({
    name: 'agents',
    title: 'agents',
    explainedBy: ['parts'],
    diagnose: async () => {
      if (!state.has('parts')) looks += 1
      if (looks === 3) throw new Error('search starts anew')
      if (looks === 4) return { status: 'unknown', why: 'no answer yet' }
      return looks < 6
        ? { status: 'fault', problem: 'events wait', evidence: [], meaning: 'late', found: null }
        : { status: 'healthy', detail: 'none wait' }
    },
    plan: () => ['look at the agent'],
  })
  const seen: string[] = []
  const watcher = { ...talk(), progress: { waiting: (words: string) => void seen.push(words) } }
  const { last, repairs } = await repairAll(stack, [fault('parts'), agents], { talk: watcher })
  expect(endsOf(repairs)).toEqual([['parts', 'mended']])
  expect(statusesOf(last)).toEqual(['healthy', 'healthy'])
  expect(seen).toEqual(expect.arrayContaining(['search starts anew', 'no answer yet', 'events wait']))
})

test('a proof waits over looks that throw, and every stack that was opened is closed again', async () => {
  const { fault, state } = world(['parts'])
  const opened: { isClosed: boolean }[] = []
  const open = () => {
    const one = { isClosed: false }
    opened.push(one)
    const close = (): void => {
      one.isClosed = true
    }
    return { ...stack, clients: { ...stack.clients, close } }
  }
  let looksAfter = 0
  const parts = fault('parts', {
    diagnose: async () => {
      if (state.has('parts')) return { status: 'fault', problem: 'down', evidence: [], meaning: 'no work', found: '' }
      looksAfter += 1
      if (looksAfter < 3) throw new Error('connect ECONNREFUSED')
      return { status: 'healthy', detail: 'up' }
    },
  })
  const { repairs } = await repairAll(open, [parts], { talk: talk() })
  expect(repairs).toMatchObject([{ check: 'parts', end: 'mended', detail: 'up' }])
  expect(opened.length).toBeGreaterThan(2)
  expect(opened.filter(({ isClosed }) => !isClosed)).toEqual([])
})

test('a fault that is gone is mended, though what came after its mending failed for another fault', async () => {
  const { fault, state, order } = world(['ports', 'configuration'])
  const ports = fault('ports', {
    repair: async () => {
      state.delete('ports')
      if (state.has('configuration')) throw new Error('logstack-alerter does not start')
    },
  })
  const watcher = talk()
  const { last } = await repairAll(stack, [ports, fault('configuration')], { talk: watcher })
  expect(order).toEqual(['configuration'])
  expect(watcher.records).toMatchObject([
    { check: 'ports', end: 'mended', detail: 'ports works; what remains: logstack-alerter does not start' },
    { check: 'configuration', end: 'mended' },
  ])
  expect(statusesOf(last)).toEqual(['healthy', 'healthy'])
})

test('what needs a person is not waited for when nothing was mended that could be its cause', async () => {
  const { fault } = world(['dashboards', 'guide'])
  let looks = 0
  const guide = left('guide', ['parts'], () => {
    looks += 1
    return 'a vendor says how'
  })
  const { repairs } = await repairAll(stack, [fault('dashboards'), guide], { talk: talk() })
  expect(endsOf(repairs)).toEqual([
    ['dashboards', 'mended'],
    ['guide', 'left'],
  ])
  // At the beginning, before its turn, and in the end.
  expect(looks).toBe(3)
})

test('a second try comes after everything else, not as soon as one other fault is mended', async () => {
  const { fault, state, order } = world(['one', 'two', 'three'])
  const one = fault('one', {
    repair: async () => {
      order.push('one')
      if (state.has('three')) throw new Error('three is in the way')
      state.delete('one')
    },
  })
  // Comes to light only when two is mended.
  const three = fault('three', {
    diagnose: async () => {
      if (state.has('two')) return { status: 'unknown', why: 'two hides it' }
      return state.has('three')
        ? { status: 'fault', problem: 'three is broken', evidence: [], meaning: 'no work', found: 'three' }
        : { status: 'healthy', detail: 'three works' }
    },
  })
  const { last } = await repairAll(stack, [one, fault('two'), three], { talk: talk() })
  expect(order).toEqual(['one', 'two', 'three', 'one'])
  expect(statusesOf(last)).toEqual(['healthy', 'healthy', 'healthy'])
})

test('what a mended fault has hidden is seen before the next repair, which may need it', async () => {
  const { fault, state, order } = world(['network', 'parts', 'firewall'])
  const firewall = fault('firewall', {
    takes: ['parts'],
    diagnose: async () => {
      if (state.has('network')) return { status: 'unknown', why: 'there is no network' }
      return state.has('firewall')
        ? { status: 'fault', problem: 'it drops', evidence: [], meaning: 'no work', found: 'firewall' }
        : { status: 'healthy', detail: 'it lets through' }
    },
  })
  const parts = fault('parts', { explainedBy: ['firewall'] })
  await repairAll(stack, [fault('network'), parts, firewall], { talk: talk() })
  expect(order).toEqual(['network', 'firewall'])
})

test('what the mending of another fault broke again is mended once more, and no oftener', async () => {
  const { fault, state, order } = world(['one', 'two'])
  const two = fault('two', {
    repair: async () => {
      order.push('two')
      state.delete('two')
      state.add('one')
    },
  })
  const { last } = await repairAll(stack, [fault('one'), two], { talk: talk() })
  expect(order).toEqual(['one', 'two', 'one'])
  expect(statusesOf(last)).toEqual(['healthy', 'healthy'])
})
