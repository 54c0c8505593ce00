/** What names an answer: the key under which the pages keep it. */
export type EarlyKey = readonly string[]

interface Early {
  readonly key: EarlyKey
  readonly answer: Promise<unknown>
}

const asked = new Map<string, Early>()

/** Asks now for what a page will want under `key`; a failure is told to who takes it. */
export function askEarly<T>(key: EarlyKey, ask: () => Promise<T>): Promise<T> {
  const answer = ask()
  answer.catch(() => undefined)
  asked.set(nameOf(key), { key, answer })
  return answer
}

/** What was asked for under `key`, once: who wants it again, or wants what nobody asked for, asks `otherwise`. */
export function takeEarly<T>(key: EarlyKey, otherwise: () => Promise<T>): Promise<T> {
  const early = asked.get(nameOf(key))
  asked.delete(nameOf(key))
  // Both sides name one key and one type: the key is made of the question.
  return early === undefined ? otherwise() : (early.answer as Promise<T>)
}

/** Waits for the answers, and for those that one of them has asked for, and hands each over once; failures are left for who takes them. */
export async function earlyAnswers(keep: (key: EarlyKey, answer: unknown) => void): Promise<void> {
  const seen = new Set<string>()
  for (;;) {
    const [name, early] = [...asked].find(([one]) => !seen.has(one)) ?? []
    if (name === undefined || early === undefined) return
    seen.add(name)
    const answer = await early.answer.then(
      (value) => ({ value }),
      () => undefined,
    )
    if (answer && asked.delete(name)) keep(early.key, answer.value)
  }
}

function nameOf(key: EarlyKey): string {
  return JSON.stringify(key)
}
