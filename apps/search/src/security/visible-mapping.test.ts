import { expect, it } from 'vitest'
import type { Scope } from '../model/scope.ts'
import { visibleMapping } from './visible-mapping.ts'

const scope = {
  limitsFieldNames: () => true,
  canSeeFieldName: (_index: string, path: string) => !path.includes('secret'),
} as unknown as Scope

it('leaves out runtime fields that are hidden, and those of a composite one by one', () => {
  const script = { source: "emit('a', 1)", lang: 'painless' }
  const kept = { type: 'composite', script, fields: { a: { type: 'long' } } }
  const runtime = {
    made: { ...kept, fields: { ...kept.fields, secret: { type: 'long' } } },
    all: { ...kept, fields: { secret: { type: 'long' } } },
    secret: { type: 'long' },
    plain: { type: 'long' },
  }
  expect(visibleMapping(scope, { name: 'a', mapping: { runtime } })).toEqual({
    runtime: { made: kept, plain: { type: 'long' } },
  })
})
