import { expect, test } from 'vitest'
import { firstTrouble, troubledQuestion, unitsTold } from './agent-units.ts'

const unit = (id: string, status: string, type = 'input') => ({ id, type, status, message: `${id} says` })

test('units that are not well come first, and all of them are counted', () => {
  const told = unitsTold({
    components: [
      { id: 'file', units_total: 900, units: [unit('file-a', 'HEALTHY'), unit('file-b', 'DEGRADED')] },
      { id: 'output', units: [unit('output', 'FAILED', 'output')] },
      { id: 'odd', units: 'none' },
    ],
  })
  expect(told.units.map(({ id }) => id)).toEqual(['output', 'file-b', 'file-a'])
  expect(told.total).toBe(901)
  expect(firstTrouble(told)).toMatchObject({ id: 'output', message: 'output says' })
  expect(firstTrouble(unitsTold({ components: [{ units: [unit('file-a', 'HEALTHY')] }] }))).toBeUndefined()
  expect(unitsTold(undefined)).toEqual({ units: [], total: 0 })
})

test('the list asks for the words of those alone that are not well', () => {
  const hit = (id: string, status: string) => ({ _index: 'agents', _id: id, _source: { status } })
  expect(troubledQuestion([hit('1', 'online'), hit('2', 'offline')])).toBeUndefined()
  expect(troubledQuestion([hit('1', 'online'), hit('2', 'unhealthy')])).toMatchObject({
    query: { ids: { values: ['2'] } },
  })
})
