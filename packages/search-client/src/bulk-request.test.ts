import { expect, it } from 'vitest'
import { type BulkAction, BulkRequest } from './index.ts'

it('a bulk request gives back what was added, however long and in whatever letters', () => {
  const actions: BulkAction[] = [
    { action: 'create', index: 'logs-ä', id: 'i"1', document: { note: 'zwei\nZeilen, längst', nested: { n: 1 } } },
    { action: 'delete', index: 'logs', id: '2' },
    { action: 'index', index: 'logs', document: { note: 'ß'.repeat(500_000) } },
    { action: 'create', index: 'logs', id: '4', document: {} },
  ]
  const request = new BulkRequest()
  for (const action of actions) request.add(action)
  expect(request.size).toBe(4)
  expect(actions.map((_, at) => request.actionAt(at))).toEqual(actions)
  expect(() => request.actionAt(4)).toThrow()
})
