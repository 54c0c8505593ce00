import { AppError, dashboardErrors, platformErrors } from '@logstack/errors'
import { createLogger } from '@logstack/logging'
import { expect, test } from 'vitest'
import { SessionStore } from './store.ts'
import type { TokenExchange } from './tokens.ts'

interface World {
  now: number
  refreshed: number
  invalidated: string[]
  refresh: TokenExchange['refresh'] | undefined
}

function storeIn(world: World, countMax = 10): SessionStore {
  let issued = 0
  const pair = () => ({ accessToken: `t${++issued}`, refreshToken: `r${issued}`, expiresInSeconds: 1200 })
  const tokens: TokenExchange = {
    exchange: async () => pair(),
    identify: async () => ({ username: 'ann', roles: ['superuser'] }),
    invalidate: async (token) => void world.invalidated.push(token),
    refresh: async (token) => {
      world.refreshed++
      return world.refresh ? world.refresh(token) : pair()
    },
  }
  return new SessionStore({
    tokens,
    limits: () => ({ idleTimeoutMs: 1_000_000, lifetimeMs: 5_000_000, countMax }),
    now: () => world.now,
    logger: createLogger('test', 'silent'),
  })
}

const world = (): World => ({ now: 0, refreshed: 0, invalidated: [], refresh: undefined })

test('a session ends when idle, and at the end of its life however busy', async () => {
  const at = world()
  const store = storeIn(at)
  const idle = await store.open('ann', 'x')
  at.now = 999_999
  expect(store.find(idle.id)).toBeDefined()
  at.now += 1_000_000
  expect(store.find(idle.id)).toBeUndefined()
  expect(at.invalidated).toEqual(['t1'])
  const busy = await store.open('ann', 'x')
  const born = at.now
  for (; at.now < born + 5_000_000; at.now += 500_000) expect(store.find(busy.id)).toBeDefined()
  expect(store.find(busy.id)).toBeUndefined()
})

test('a token is renewed once, before it ends, for all requests that wait', async () => {
  const at = world()
  const store = storeIn(at)
  const { id } = await store.open('ann', 'x')
  expect(await store.authorization(id)).toBe('Bearer t1')
  at.now = 950_000
  expect(await Promise.all([store.authorization(id), store.authorization(id)])).toEqual(['Bearer t2', 'Bearer t2'])
  expect(at.refreshed).toBe(1)
})

test('a refused renewal ends the session, an unreachable search does not', async () => {
  const at = world()
  const store = storeIn(at)
  const { id } = await store.open('ann', 'x')
  at.now = 950_000
  at.refresh = async () => {
    throw new AppError(platformErrors.search_unreachable, 'away')
  }
  await expect(store.authorization(id)).rejects.toThrow('away')
  expect(store.find(id)).toBeDefined()
  at.refresh = async () => {
    throw new AppError({ ...platformErrors.search_refused, kind: 'unauthenticated' }, 'no')
  }
  await expect(store.authorization(id)).rejects.toMatchObject({ code: dashboardErrors.login_required.code })
  expect(store.find(id)).toBeUndefined()
})

test('one session too many ends the one that was idle longest', async () => {
  const at = world()
  const store = storeIn(at, 2)
  const first = await store.open('ann', 'x')
  at.now = 1
  const second = await store.open('ann', 'x')
  at.now = 2
  store.find(first.id)
  await store.open('ann', 'x')
  expect(store.size).toBe(2)
  expect(store.find(second.id)).toBeUndefined()
  expect(store.find(first.id)).toBeDefined()
})
