import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sampleEvents } from './sample-events.fixture.ts'

const { found } = sampleEvents()

const comparisons = [
  'name == "cmd.exe"',
  'name : "c*"',
  'name != ""',
  'name in ("cmd.exe", "x")',
  'pid > 10',
  'pid in (10, null)',
  'load <= 1',
  'ok',
  'text : "*o*"',
  'args == "two"',
  'args != "one"',
  'ip == "10.1.2.3"',
  'cidrMatch(ip, "10.0.0.0/8")',
  'startsWith~(name, "CMD")',
  'stringContains(path, name)',
  'length(name) > 3',
  'pid == parent',
  'pid / 0 == 1',
  'pid + parent > 20',
  'number(hex) > 50',
  '?unknown == 1',
  'null',
  'true',
  'name == null',
  'hex != null',
]
const condition = fc.letrec<{ part: string }>((tie) => ({
  part: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...comparisons),
    fc.tuple(tie('part'), fc.constantFrom('and', 'or'), tie('part')).map((parts) => `(${parts.join(' ')})`),
    tie('part').map((part) => `not (${part})`),
  ),
})).part

it('every event is found by a condition, by its negation, or by asking whether it is null, and by one of them alone', async () => {
  await fc.assert(
    fc.asyncProperty(condition, async (asked) => {
      const outcomes = await Promise.all(
        [asked, `not (${asked})`, `(${asked}) == null`].map((each) => found(`any where ${each}`)),
      )
      const ids = outcomes.flatMap((each) => (each === '' ? [] : each.split(',')))
      expect(ids.sort()).toEqual(['a', 'b', 'c', 'd', 'e'])
    }),
    { numRuns: 150, seed: 8 },
  )
})
