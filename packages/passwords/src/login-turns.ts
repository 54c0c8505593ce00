/** Runs the tries of one key one after the other, and equal ones that come meanwhile as one: `name` tells them apart. */
export type LoginTurns = <T>(key: string, name: string, attempt: () => Promise<T>) => Promise<T>

/** Makes the turns: without them a thousand guesses that come at once would all be tried before the first has failed, and none be slowed down. */
export function createLoginTurns(): LoginTurns {
  const last = new Map<string, Promise<unknown>>()
  const equal = new Map<string, Promise<unknown>>()
  return <T>(key: string, name: string, attempt: () => Promise<T>): Promise<T> => {
    const id = `${key}\0${name}`
    const same = equal.get(id)
    if (same !== undefined) return same as Promise<T>
    const done = (last.get(key) ?? Promise.resolve()).then(attempt, attempt)
    last.set(key, done)
    equal.set(id, done)
    const end = (): void => {
      equal.delete(id)
      if (last.get(key) === done) last.delete(key)
    }
    done.then(end, end)
    return done
  }
}
