import type { Json } from './differential-answers.fixture.ts'

/** Members without which an answer would have no order or other members. */
const kept = new Set(['size', 'sort', 'pk', 'track_total_hits', '_source'])
/** Looks at a request that are spent on making it small. */
const triesMax = 250

/** The least part of a request that `differs` still answers with true; parts are left out, or replaced by a part of them. */
export async function reduced(request: Json, differs: (request: Json) => Promise<boolean>): Promise<Json> {
  let [least, tries] = [request, 0]
  for (let smaller = true; smaller; ) {
    smaller = false
    for (const candidate of withoutOnePart(least) as Iterable<Json>) {
      tries += 1
      if (tries > triesMax) return least
      if (!(await differs(candidate))) continue
      least = candidate
      smaller = true
      break
    }
  }
  return least
}

/** Every way to leave one part of a value out, the biggest parts first. */
function* withoutOnePart(value: unknown, key = ''): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    // The last key of an order makes it whole.
    const last = key === 'sort' ? value.length - 1 : value.length
    for (let at = 0; at < last; at += 1) yield value.toSpliced(at, 1)
    for (const [at, each] of value.entries()) for (const part of withoutOnePart(each)) yield value.with(at, part)
    return
  }
  const members = Object.entries(value)
  for (const [name] of members)
    if (!kept.has(name)) yield Object.fromEntries(members.filter(([other]) => other !== name))
  for (const [, inner] of members) yield* queriesOf(inner)
  for (const [name, inner] of members) for (const part of withoutOnePart(inner, name)) yield { ...value, [name]: part }
}

/** Objects of one member, as queries are, anywhere in a value. */
function* queriesOf(value: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value) && Object.keys(value).length === 1) yield value
  for (const inner of Object.values(value)) yield* queriesOf(inner)
}
