import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@logstack/testkit'
import { expect, test } from 'vitest'
import { outdatedParts } from './outdated-parts.ts'

test('parts are outdated that started before their program was built', () => {
  const checkout = tempDir('logstack-outdated')
  try {
    mkdirSync(join(checkout.path, 'dist'))
    for (const [part, builtAt] of [
      ['search', 20],
      ['dashboard', 10],
    ] as const) {
      const program = join(checkout.path, 'dist', `${part}.mjs`)
      writeFileSync(program, '')
      utimesSync(program, builtAt, builtAt)
    }
    const statuses = (['search', 'dashboard', 'alerter'] as const).map((part) => ({ part, startedAtMs: 15_000 }))
    expect(outdatedParts(statuses, checkout.path)).toEqual(['search'])
    expect(outdatedParts([{ part: 'search' }], checkout.path)).toEqual([])
  } finally {
    checkout.remove()
  }
})
