import { AppError, searchErrors } from '@logstack/errors'
import { createLogger } from '@logstack/logging'
import { expect, it } from 'vitest'
import type { WriteResult } from '../../documents/documents.ts'
import type { WriteOperation } from '../../documents/write-operation.ts'
import { systemScope } from '../../security/role-scope.ts'
import type { Services } from '../../services.ts'
import { BulkItems } from './bulk-items.ts'
import { showItem } from './write-documents.ts'

const indices = new Map([
  ['logs', { settings: { number_of_replicas: '2' } }],
  ['ünï "quoted"', { settings: {} }],
])
const services = {
  catalogue: { index: (name: string) => indices.get(name) },
  logger: createLogger('test', 'silent'),
} as unknown as Services

const written = (index: string, id: string, result: 'created' | 'updated' | 'deleted' | 'not_found'): WriteResult => {
  return { index, id, version: 3, seqNo: 17, result, status: result === 'not_found' ? 404 : 200 }
}

const cases: readonly (readonly [WriteOperation, WriteResult])[] = [
  [{ action: 'create', index: 'logs' }, written('logs', 'a "quoted" \n id', 'created')],
  [{ action: 'index', index: 'alias' }, written('ünï "quoted"', 'ä', 'updated')],
  [{ action: 'delete', index: 'logs' }, written('logs', '1', 'deleted')],
  [{ action: 'delete', index: 'gone' }, written('gone', '1', 'not_found')],
  [
    { action: 'index', index: 'logs' },
    { ...written('logs', '', 'created'), version: -3, seqNo: -2, result: 'noop' },
  ],
  [{ action: 'update', index: 'logs', update: { doc: {} } }, written('logs', '1', 'updated')],
  [
    { action: 'index', index: 'logs' },
    { index: 'logs', id: undefined, error: new AppError(searchErrors.illegal_argument_exception, 'no "good"') },
  ],
]

it.each(['true', 'wait_for', undefined])('prints every item as it is shown, with refresh %s', (refresh) => {
  const options = { refresh, scope: systemScope, standard: undefined }
  const items = new BulkItems(services, options)
  for (const [operation, result] of cases) items.add(operation, result)
  const shown = cases.map(([operation, result]) => JSON.stringify(showItem(operation, result, services, options)))
  expect(items.bytes().toString()).toBe(shown.join(','))
  expect(items.count).toBe(cases.length)
})
