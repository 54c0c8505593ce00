import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { open } from 'lmdb'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { randomOf } from '../fuzz/mutate.fixture.ts'
import { keptEach, keptFrom } from '../indices/kept-from.ts'
import { createStore, storeFormatVersion } from './lmdb-store.ts'

let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'logstack-store-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

describe('the lmdb store', () => {
  it('keeps what a transaction wrote across a restart', async () => {
    const first = createStore(directory)
    const users = first.collection<{ name: string; bytes: Buffer; big: number }>('user')
    await first.transaction(() => users.put('ann', { name: 'Ann', bytes: Buffer.from([1, 2]), big: 2 ** 50 }))
    await first.close()
    const second = createStore(directory)
    expect(second.collection('user').get('ann')).toEqual({ name: 'Ann', bytes: Buffer.from([1, 2]), big: 2 ** 50 })
    await second.close()
  })

  it('lists the entries of one collection in key order, and no others', async () => {
    const store = createStore(directory)
    const [a, ab] = [store.collection<number>('a'), store.collection<number>('ab')]
    await store.transaction(() => {
      for (const [at, key] of ['z', 'é', '', 'b', '\u{1F600}'].entries()) a.put(key, at)
      ab.put('x', 9)
    })
    expect([...a.entries()].map(([key]) => key)).toEqual(['', 'b', 'z', 'é', '\u{1F600}'])
    expect([...ab.entries()]).toEqual([['x', 9]])
    await store.close()
  })

  it('rolls back all collections when the work throws, and goes on', async () => {
    const store = createStore(directory)
    const [one, two] = [store.collection<number>('one'), store.collection<number>('two')]
    await store.transaction(() => one.put('k', 1))
    const failing = store.transaction(() => {
      one.put('k', 2)
      two.put('k', 2)
      expect(one.get('k')).toBe(2)
      throw new RangeError('no')
    })
    const following = store.transaction(() => two.put('after', 3))
    await expect(failing).rejects.toThrow(RangeError)
    await following
    expect(one.get('k')).toBe(1)
    expect([...two.entries()]).toEqual([['after', 3]])
    await store.close()
  })

  it('runs transactions one after another, each seeing the one before', async () => {
    const store = createStore(directory)
    const counter = store.collection<number>('counter')
    const results = await Promise.all(
      Array.from({ length: 50 }, () =>
        store.transaction(() => {
          const next = (counter.get('n') ?? 0) + 1
          counter.put('n', next)
          return next
        }),
      ),
    )
    expect(results).toEqual(Array.from({ length: 50 }, (_, at) => at + 1))
    await store.close()
  })
})

describe('what the lmdb store refuses', () => {
  it('finishes what was asked before it is closed, and refuses what comes after', async () => {
    const store = createStore(directory)
    const one = store.collection<number>('one')
    const before = store.transaction(() => one.put('k', 1))
    await store.close()
    await before
    await expect(store.transaction(() => one.put('k', 2))).rejects.toThrow(
      expect.objectContaining({ code: 'store_write_failed' }),
    )
    const again = createStore(directory)
    expect(again.collection('one').get('k')).toBe(1)
    await again.close()
  })

  it('refuses changes outside a transaction, and asynchronous work', async () => {
    const store = createStore(directory)
    const one = store.collection<number>('one')
    expect(() => one.put('k', 1)).toThrow('BUG')
    await expect(store.transaction(() => Promise.resolve(one.put('k', 1)))).rejects.toThrow('BUG')
    expect(one.get('k')).toBeUndefined()
    await store.close()
  })

  it('refuses a store that a newer version wrote', async () => {
    await createStore(directory).close()
    const raw = open({ path: directory, noSubdir: false, encoding: 'msgpack' })
    await raw.put(['', 'format'], storeFormatVersion + 1)
    await raw.close()
    expect(() => createStore(directory)).toThrow(expect.objectContaining({ code: 'store_too_new' }))
  })
})

it('counts the changes of each collection, so that what is kept of one is never older than it', async () => {
  const store = createStore(directory)
  const [one, two] = [store.collection<number>('one'), store.collection<number>('two')]
  const sum = keptFrom(one, (entries) => ({ sum: [...entries].reduce((before, [, value]) => before + value, 0) }))
  expect(sum()).toBe(sum())
  for (let at = 1; at <= 20; at += 1) {
    const writing = store.transaction(() => one.put(String(at), 1))
    // Read while the change is on its way, with what is there until then.
    const reading = setTimeout(0).then(() => sum())
    await writing
    expect(sum()).toEqual({ sum: at })
    await reading
  }
  const [kept, ofTwo] = [sum(), two.version()]
  const failing = store.transaction(() => {
    one.put('x', 100)
    expect(sum()).toEqual({ sum: 120 })
    throw new RangeError('no')
  })
  await expect(failing).rejects.toThrow(RangeError)
  expect(sum()).toEqual(kept)
  expect(two.version()).toBe(ofTwo)
  await store.transaction(() => one.remove('1'))
  expect(sum()).toEqual({ sum: 19 })
  await store.close()
})

it('reads again what changed only, and is never older than the collection, for transactions too', async () => {
  const store = createStore(directory)
  const numbers = store.collection<number>('numbers')
  let read = 0
  const doubled = keptEach(numbers, (value) => {
    read += 1
    return value * 2
  })
  const fresh = (): ReadonlyMap<string, number> =>
    new Map([...numbers.entries()].map(([key, value]) => [key, value * 2]))
  await store.transaction(() => {
    for (let at = 0; at < 2_500; at += 1) numbers.put(`k${at}`, at)
  })
  const [upTo, running] = [randomOf(7), new Set<Promise<unknown>>()]
  for (let at = 0; at < 120; at += 1) {
    const change = store.transaction(() => {
      expect(doubled()).toEqual(fresh())
      for (let times = upTo(4); times >= 0; times -= 1) {
        if (upTo(10) < 3) numbers.remove(`k${upTo(20)}`)
        else numbers.put(`k${upTo(20)}`, upTo(1_000))
        expect(doubled()).toEqual(fresh())
      }
      if (upTo(5) === 0) throw new RangeError('no')
    })
    const settled = change.catch((thrown: unknown) => expect(thrown).toBeInstanceOf(RangeError))
    running.add(settled)
    if (upTo(2) === 0) await setTimeout(upTo(3))
    expect(doubled()).toEqual(fresh())
    if (upTo(10) === 0) await Promise.all(running)
  }
  await Promise.all(running)
  expect(doubled()).toEqual(fresh())
  read = 0
  await store.transaction(() => numbers.put('one more', 1))
  expect(doubled().get('one more')).toBe(2)
  expect(read).toBeLessThan(5)
  await store.close()
})
