import { expect, test } from 'vitest'
import { fieldNamesOf } from './field-names.ts'
import { sourceFiltersOf, sourceWanted } from './source-filters.ts'

test('what an index pattern leaves out of documents, as text or decoded', () => {
  const saved = [{ value: 'secret.*' }, { value: '' }, {}]
  expect(sourceFiltersOf({ sourceFilters: JSON.stringify(saved) })).toEqual(['secret.*'])
  expect(sourceFiltersOf({ sourceFilters: saved })).toEqual(['secret.*'])
  expect(sourceWanted(['secret.*'])).toEqual({ _source: { excludes: ['secret.*'] } })
  expect([sourceWanted([]), sourceWanted(undefined)]).toEqual([{}, {}])
})

test('what it calls fields; names of the pattern go before those of calculated fields', () => {
  const runtimeFieldMap = JSON.stringify({ kb: { customLabel: 'KB' }, mb: { customLabel: 'MB' } })
  const fieldAttrs = JSON.stringify({ kb: { customLabel: 'Kilobytes', count: 3 }, other: { count: 1 } })
  expect(fieldNamesOf({ fieldAttrs, runtimeFieldMap })).toEqual({ kb: 'Kilobytes', mb: 'MB' })
  expect(fieldNamesOf({ fieldAttrs: '{}' })).toBeUndefined()
})
