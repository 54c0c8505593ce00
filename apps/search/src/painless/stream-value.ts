import { HostObject, ownMethod } from './host-object.ts'
import { IteratorValue } from './iterator-value.ts'
import { naturalOrder, textOf } from './java-values.ts'
import { valuesAStep } from './run-costs.ts'
import { ScriptFault } from './script-error.ts'
import { spend } from './script-run.ts'
import { ScriptSet } from './script-set.ts'
import { castNumber, type NumberType, numberOf, numberTypeOf } from './typed-number.ts'

type Apply = (...values: unknown[]) => unknown

/** How `collect` ends a stream: see `collectors.ts`. */
export class CollectorValue extends HostObject {
  override readonly className = 'java.util.stream.Collector'
  readonly finish: (values: readonly unknown[]) => unknown

  constructor(finish: (values: readonly unknown[]) => unknown) {
    super()
    // Collectors may hold each other, and each of a chain finish the one behind it twice.
    this.finish = (values) => {
      spend(1 + Math.floor(values.length / valuesAStep))
      return finish(values)
    }
  }

  override method(): undefined {
    return undefined
  }

  override text(): string {
    return this.className
  }
}

/** A value that may be missing. */
class OptionalValue extends HostObject {
  override readonly className = 'java.util.Optional'
  readonly #value: unknown

  constructor(value: unknown) {
    super()
    this.#value = value ?? null
  }

  override method(name: string, at: number): Apply | undefined {
    const value = this.#value
    const isPresent = value !== null
    const methods: Readonly<Record<string, Apply>> = {
      isPresent: () => isPresent,
      isEmpty: () => !isPresent,
      get: () => this.#present(at),
      getAsInt: () => this.#present(at),
      getAsLong: () => this.#present(at),
      getAsDouble: () => this.#present(at),
      orElse: (otherwise) => (isPresent ? value : otherwise),
      orElseGet: (make) => (isPresent ? value : (make as Apply)()),
      ifPresent: (use) => (isPresent ? (use as Apply)(value) : null),
      map: (apply) => new OptionalValue(isPresent ? (apply as Apply)(value) : null),
      filter: (test) => new OptionalValue(isPresent && (test as Apply)(value) === true ? value : null),
    }
    return ownMethod(methods, name)
  }

  override text(): string {
    return this.#value === null ? 'Optional.empty' : `Optional[${textOf(this.#value)}]`
  }

  #present(at: number): unknown {
    if (this.#value === null) throw new ScriptFault(at, 'No value present', 'no_such_element_exception')
    return this.#value
  }
}

/** The values of a collection on their way through functions. */
export class StreamValue extends HostObject {
  override readonly className = 'java.util.stream.Stream'
  readonly #values: readonly unknown[]

  constructor(values: readonly unknown[]) {
    super()
    this.#values = values
  }

  override items(): readonly unknown[] {
    return this.#values
  }

  override method(name: string): Apply | undefined {
    const step = ownMethod(steps, name)
    return step && ((...args) => step(this.#values, ...(args as Apply[])))
  }

  override text(): string {
    return this.className
  }
}

type Step = (values: readonly unknown[], ...args: Apply[]) => unknown

const stream = (values: readonly unknown[]) => new StreamValue(values)
const mapped: Step = (values, apply) => stream(values.map((value) => apply?.(value)))
/** Applies and casts to a type: streams of numbers hold one type. */
const mappedTo =
  (type: NumberType): Step =>
  (values, apply) =>
    stream(values.map((value) => castNumber(type, apply?.(value))))
const cast =
  (type: NumberType): Step =>
  (values) =>
    stream(values.map((value) => castNumber(type, value)))
const total = (values: readonly unknown[]) => values.reduce<number>((sum, value) => sum + Number(value), 0)
/** Of the type that the stream holds. */
const sum: Step = (values) => numberOf(numberTypeOf(values[0]) ?? 'int', total(values))
const best = (values: readonly unknown[], better: (order: number) => boolean, compare: Apply = naturalOrder) =>
  new OptionalValue(
    values.length === 0 ? null : values.reduce((kept, value) => (better(Number(compare(value, kept))) ? value : kept)),
  )
const amountOf = (value: unknown): number => {
  if (numberTypeOf(value) !== undefined) return Math.max(0, Number(value))
  throw new TypeError('a number is needed')
}

const steps: Readonly<Record<string, Step>> = {
  filter: (values, test) => stream(values.filter((value) => test?.(value) === true)),
  map: mapped,
  mapToInt: mappedTo('int'),
  mapToLong: mappedTo('long'),
  mapToDouble: mappedTo('double'),
  mapToObj: mapped,
  boxed: stream,
  asLongStream: cast('long'),
  asDoubleStream: cast('double'),
  flatMap: (values, apply) =>
    stream(values.flatMap((value) => (apply?.(value) as StreamValue | undefined)?.items() ?? [])),
  peek: (values, use) => {
    for (const value of values) use?.(value)
    return stream(values)
  },
  sorted: (values, compare) => stream([...values].sort((one, other) => Number((compare ?? naturalOrder)(one, other)))),
  distinct: (values) => stream([...ScriptSet.holding(values, true)]),
  limit: (values, most) => stream(values.slice(0, amountOf(most))),
  skip: (values, first) => stream(values.slice(amountOf(first))),
  forEach: (values, use) => {
    for (const value of values) use?.(value)
  },
  collect: (values, collector: unknown) => {
    if (collector instanceof CollectorValue) return collector.finish(values)
    throw new TypeError('a collector is needed')
  },
  toList: (values) => [...values],
  toArray: (values) => [...values],
  iterator: (values) => new IteratorValue(values),
  count: (values) => numberOf('long', values.length),
  sum,
  average: (values) =>
    new OptionalValue(values.length === 0 ? null : numberOf('double', total(values) / values.length)),
  max: (values, compare) => best(values, (order) => order > 0, compare),
  min: (values, compare) => best(values, (order) => order < 0, compare),
  findFirst: (values) => new OptionalValue(values[0]),
  findAny: (values) => new OptionalValue(values[0]),
  anyMatch: (values, test) => values.some((value) => test?.(value) === true),
  allMatch: (values, test) => values.every((value) => test?.(value) === true),
  noneMatch: (values, test) => !values.some((value) => test?.(value) === true),
  reduce: (values, first: unknown, join?: Apply) => {
    if (join !== undefined) return values.reduce((kept, value) => join(kept, value), first)
    const [start, ...others] = values
    return new OptionalValue(others.reduce((kept, value) => (first as Apply)(kept, value), start))
  },
}
