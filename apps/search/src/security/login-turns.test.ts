import { createLoginTurns } from '@logstack/passwords/login-turns'
import { expect, it } from 'vitest'
import { memoryStore } from '../testing/memory-store.ts'
import { bootstrapAdministrator, createSecurity } from './create-security.ts'

const basic = (username: string, password: string) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

it('of guesses that come at once no more are tried than of those that come one by one', async () => {
  const store = memoryStore()
  const security = createSecurity({ store, now: () => 1_000_000, steadyMs: () => 0 })
  await bootstrapAdministrator(store, 'elastic', 'first-password')
  const guess = (n: number) =>
    security
      .authenticate(basic('elastic', `guess ${n}`), '/', '192.0.2.1')
      .catch((thrown: { code: string }) => thrown.code)
  const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => guess(n)))
  expect(answers.filter((code) => code === 'security_exception')).toHaveLength(5)
  expect(answers.filter((code) => code === 'login_too_often')).toHaveLength(25)
  // Nobody else waits for them, nor does who knows the password.
  expect(await security.authenticate(basic('elastic', 'first-password'), '/', '192.0.2.2')).toBeDefined()
})

it('tries of one key take turns, equal ones are one, and other keys do not wait', async () => {
  const turns = createLoginTurns()
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const attempt = (name: string) => () => {
    begun.push(name)
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
  }
  const all = [turns('a', '1', attempt('a1')), turns('a', '2', attempt('a2')), turns('a', '1', attempt('again'))]
  const other = turns('b', '1', attempt('b1'))
  await Promise.resolve()
  expect(begun).toEqual(['a1', 'b1'])
  ends.get('b1')?.()
  ends.get('a1')?.()
  expect(await other).toBe('b1')
  expect(await all[0]).toBe('a1')
  await new Promise((resolve) => setImmediate(resolve))
  ends.get('a2')?.()
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a1'])
  expect(begun).toEqual(['a1', 'b1', 'a2'])
})

it('one that fails does not keep the next from its turn', async () => {
  const turns = createLoginTurns()
  const failing = turns('a', '1', () => Promise.reject(new Error('no')))
  const next = turns('a', '2', async () => 'yes')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('yes')
})
