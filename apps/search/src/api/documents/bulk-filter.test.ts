import { AppError, searchErrors } from '@logstack/errors'
import { createLogger } from '@logstack/logging'
import { describe, expect, it } from 'vitest'
import type { WriteResult } from '../../documents/documents.ts'
import type { WriteOperation } from '../../documents/write-operation.ts'
import { printCompact, readJsonText } from '../../json/json-text.ts'
import { systemScope } from '../../security/role-scope.ts'
import type { Services } from '../../services.ts'
import { applyPathFilter, readPathFilter } from '../encoding/filter-path.ts'
import { readBulkFilter } from './bulk-filter.ts'
import { BulkItems } from './bulk-items.ts'

const services = {
  catalogue: { index: () => ({ settings: {} }) },
  logger: createLogger('test', 'silent'),
} as unknown as Services
const options = { refresh: 'true', scope: systemScope, standard: undefined }
const cases: readonly (readonly [WriteOperation, WriteResult])[] = [
  [
    { action: 'create', index: 'logs' },
    { index: 'logs', id: '1', version: 1, seqNo: 7, result: 'created', status: 201 },
  ],
  [
    { action: 'index', index: 'logs' },
    { index: 'logs', id: '2', error: new AppError(searchErrors.illegal_argument_exception, 'no "good"') },
  ],
  [
    { action: 'update', index: 'logs', update: { doc: {} } },
    { index: 'logs', id: '3', version: 2, seqNo: 8, result: 'noop', status: 200 },
  ],
]

function printed(wanted?: ReadonlySet<string>): string {
  const items = new BulkItems(services, options, wanted)
  for (const [operation, result] of cases) items.add(operation, result)
  return `{"items":[${items.bytes()}]}`
}

describe('what is left of a bulk answer', () => {
  it.each([
    'items.*.status',
    'items.*.error,items.*.status',
    'items.*._id,items.*.result',
    'items.*.error',
    'items.*._shards,items.*.nothing',
  ])('is the same as of every answer: %s', (path) => {
    const filter = readPathFilter(path)
    if (!filter) throw new Error('BUG: no filter')
    expect(printed(readBulkFilter(path)?.items)).toBe(printCompact(applyPathFilter(readJsonText(printed()), filter)))
  })

  it('has no items where none of their members is wanted', () => {
    expect(printed(readBulkFilter('errors')?.items)).toBe('{"items":[]}')
  })

  it('is told by names of members alone', () => {
    expect(readBulkFilter('errors,took,items.*.status')).toEqual({
      members: new Set(['errors', 'took']),
      items: new Set(['status']),
    })
  })

  it.each([
    undefined,
    '',
    'items',
    'items.create.status',
    '**.status',
    'err*',
    'items.*.error.type',
    '-took',
    'items.*.s*',
  ])('is left to the filter of all answers: %s', (path) => expect(readBulkFilter(path)).toBeUndefined())
})
