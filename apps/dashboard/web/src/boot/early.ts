const asked = new Map<string, Promise<unknown>>()

/** Asks now for what a page will want under `key`; a failure is told to who takes it. */
export function askEarly<T>(key: string, ask: () => Promise<T>): Promise<T> {
  const answer = ask()
  answer.catch(() => undefined)
  asked.set(key, answer)
  return answer
}

/** What was asked for under `key`, once: who wants it again, or wants what nobody asked for, asks `otherwise`. */
export function takeEarly<T>(key: string, otherwise: () => Promise<T>): Promise<T> {
  const answer = asked.get(key)
  asked.delete(key)
  // Both sides name one key and one type: the key is made of the question.
  return answer === undefined ? otherwise() : (answer as Promise<T>)
}
