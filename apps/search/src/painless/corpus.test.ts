import { describe, expect, it } from 'vitest'
import type { PlainCase } from './corpus/case.ts'
import { themes } from './corpus/index.ts'
import { expectFault, named, outcomeOf } from './corpus.fixture.ts'
import { Names } from './frame.ts'
import { textOf } from './java-values.ts'
import { compileReturning } from './script.ts'

/** What `_scripts/painless/_execute` answers. */
function executed(source: string, params: Readonly<Record<string, unknown>> = {}): string {
  const names = new Names()
  const slot = names.declare('params', 'Map', 0).slot
  const run = compileReturning(source, names)
  const slots: unknown[] = []
  slots[slot] = Object.freeze({ ...params })
  return textOf(run(slots))
}

describe.each(Object.entries(themes))('%s', (_, cases: readonly PlainCase[]) => {
  it.each(named(cases))('$script', ({ given: [source, expected, params] }) => {
    const found = outcomeOf(() => executed(source, params))
    if (typeof expected === 'string') expect(found).toBe(expected)
    else expectFault(found, expected, source)
  })
})
