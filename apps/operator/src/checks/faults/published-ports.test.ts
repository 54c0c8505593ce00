import { expect, test } from 'vitest'
import { containerAddresses } from './published-ports.ts'

test("containers' addresses are read from what podman 5.4 writes for its name server", () => {
  const text = `10.89.0.1
454ce71db47b 10.89.0.112  logstack-search,logstack-search,454ce71db47b
24ae21e03ca3 10.89.0.113 fd00::5 logstack-dashboard,24ae21e03ca3
`
  expect([...containerAddresses(text)]).toEqual([
    ['logstack-search', '10.89.0.112'],
    ['logstack-dashboard', '10.89.0.113'],
  ])
  expect(containerAddresses('').size).toBe(0)
})
