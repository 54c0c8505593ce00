import { AppError, dashboardErrors, platformErrors } from '@logstack/errors'
import { createLogger } from '@logstack/logging'
import { expect, test } from 'vitest'
import type { SealedSession } from './sealed.ts'
import { SessionStore } from './store.ts'
import type { TokenExchange } from './tokens.ts'

interface World {
  now: number
  refreshed: number
  invalidated: string[]
  /** Search does not answer. */
  isAway?: boolean
  refresh: TokenExchange['refresh'] | undefined
  /** What one run leaves to the next. */
  kept: readonly SealedSession[]
}

function storeIn(world: World, countMax = 10): SessionStore {
  let issued = 0
  const pair = () => ({ accessToken: `t${++issued}`, refreshToken: `r${issued}`, expiresInSeconds: 1200 })
  const tokens: TokenExchange = {
    exchange: async () => pair(),
    identify: async () => ({ username: 'ann', roles: ['superuser'] }),
    invalidate: async ({ accessToken }) => {
      if (world.isAway) throw new AppError(platformErrors.search_unreachable, 'search is away')
      world.invalidated.push(accessToken)
    },
    refresh: async (token) => {
      world.refreshed++
      return world.refresh ? world.refresh(token) : pair()
    },
  }
  const keeper = {
    load: () => world.kept,
    save: (sessions: readonly SealedSession[]) => void Object.assign(world, { kept: sessions }),
  }
  return new SessionStore({
    tokens,
    keeper,
    limits: () => ({ idleTimeoutMs: 1_000_000, lifetimeMs: 5_000_000, countMax }),
    now: () => world.now,
    logger: createLogger('test', 'silent'),
  })
}

const world = (): World => ({ now: 0, refreshed: 0, invalidated: [], refresh: undefined, kept: [] })

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

test('who logs out is out, also while search cannot end the token', async () => {
  const at = world()
  const store = storeIn(at)
  const { id } = await store.open('ann', 'x')
  at.isAway = true
  await store.close(id)
  expect(store.find(id)).toBeUndefined()
})

test('neither session nor token of a clock that was ahead lasts until then, and one set back by little ends nothing', async () => {
  const at = world()
  const store = storeIn(at)
  at.now = 400_000
  const session = await store.open('ann', 'x')
  at.now = 200_000
  expect(store.find(session.id)).toBeDefined()
  expect([await store.authorization(session.id), at.refreshed]).toEqual(['Bearer t2', 1])
  at.now = 365 * 86_400_000
  const ahead = await store.open('ann', 'x')
  at.now = 500_000
  expect(store.find(ahead.id)).toBeUndefined()
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

test('a session goes on after a restart, for its own cookie alone, with its limits as they were', async () => {
  const at = world()
  const { id } = await storeIn(at).open('ann', 'x')
  for (const { sealed } of at.kept) expect(Buffer.from(sealed, 'base64').toString()).not.toMatch(/accessToken|username/)
  expect(at.kept.length).toBe(1)
  at.now = 500_000
  const second = storeIn(at)
  expect(second.find(`${id}x`)).toBeUndefined()
  expect(second.find(id)?.identity.username).toBe('ann')
  expect(await second.authorization(id)).toBe('Bearer t1')
  second.keep()
  at.now = 1_400_000
  expect(storeIn(at).find(id)).toBeDefined()
  at.now = 1_500_000
  expect(storeIn(at).find(id)).toBeUndefined()
})

test('a renewed token is the one that is kept, and a session that was closed stays closed', async () => {
  const at = world()
  const first = storeIn(at)
  const { id } = await first.open('ann', 'x')
  at.now = 950_000
  expect(await first.authorization(id)).toBe('Bearer t2')
  const second = storeIn(at)
  second.find(id)
  expect(await second.authorization(id)).toBe('Bearer t2')
  await second.close(id)
  expect(at.invalidated).toEqual(['t2'])
  expect(storeIn(at).find(id)).toBeUndefined()
})

test('sessions of the run before count, and end when their time is over', async () => {
  const at = world()
  await storeIn(at).open('ann', 'x')
  const second = storeIn(at, 1)
  at.now = 1
  const { id } = await second.open('ann', 'x')
  expect(second.size).toBe(1)
  at.now = 1_000_002
  const third = storeIn(at)
  third.sweep()
  expect(third.size).toBe(0)
  expect(third.find(id)).toBeUndefined()
})
