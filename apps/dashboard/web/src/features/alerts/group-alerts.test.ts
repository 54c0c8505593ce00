import type { AlertDocument } from '@logstack/contracts'
import { expect, test } from 'vitest'
import { groupAlerts } from './group-alerts.ts'

test('alerts of one group stand together where the newest of them stood', () => {
  const alert = (id: string, rule: string, group?: string) => ({
    id,
    document: {
      rule: { id: rule },
      logstack: { alert: group === undefined ? {} : { group } },
    } as unknown as AlertDocument,
  })
  const groups = groupAlerts([alert('4', 'a', 'x'), alert('3', 'b', 'y'), alert('2', 'a', 'x'), alert('1', 'c')])
  expect(groups.map((group) => group.alerts.map(({ id }) => id))).toEqual([['4', '2'], ['3'], ['1']])
})
