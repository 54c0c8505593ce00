import { expect, test } from 'vitest'
import { pathId } from './path-id.ts'

test.each(['plain', 'a/b?c#d%e', '50%2F', '100%', 'ü €', '__proto__'])('the id %s is read from its path', (id) => {
  expect(pathId(`/app/dashboards/${encodeURIComponent(id)}`)).toBe(id)
})

test('a path that is not encoded is its own', () => {
  expect(pathId('/app/dashboards/%e')).toBe('%e')
})
