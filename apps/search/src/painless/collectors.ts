import { JavaFault } from './java-fault.ts'
import { own, propertyOf, putKey, textOf } from './java-values.ts'
import { grouped } from './list-methods.ts'
import { type Dictionary, mapEntries, withOrder } from './script-map.ts'
import { ScriptSet } from './script-set.ts'
import { CollectorValue } from './stream-value.ts'
import { joinedTexts } from './text-length.ts'
import { type NumberType, numberOf } from './typed-number.ts'

type Apply = (value: unknown) => unknown

const collector = (finish: (values: readonly unknown[]) => unknown) => new CollectorValue(finish)
const total = (values: readonly unknown[], apply: Apply) =>
  values.reduce<number>((sum, value) => sum + Number(apply(value)), 0)
const summing = (type: NumberType) => (apply: Apply) => collector((values) => numberOf(type, total(values, apply)))
const averaging = (apply: Apply) =>
  collector((values) => numberOf('double', values.length === 0 ? 0 : total(values, apply) / values.length))
const toList = () => collector((values) => [...values])

/** Java's `Collectors`, by name: how `collect` ends a stream. */
export const collectors = {
  toList,
  toUnmodifiableList: toList,
  toSet: () => collector((values) => ScriptSet.holding(values)),
  counting: () => collector((values) => numberOf('long', values.length)),
  joining: (separator = '', before = '', after = '') =>
    collector((values) => `${before}${joinedTexts(values.map(textOf), separator)}${after}`),
  mapping: (apply: Apply, then: CollectorValue) =>
    collector((values) => then.finish(values.map((value) => apply(value)))),
  summingInt: summing('int'),
  summingLong: summing('long'),
  summingDouble: summing('double'),
  averagingInt: averaging,
  averagingLong: averaging,
  averagingDouble: averaging,
  groupingBy: (keyOf: Apply, then: CollectorValue = toList()) =>
    collector((values) => {
      const groups: Dictionary = withOrder({}, 'hash')
      for (const [key, group] of mapEntries(grouped(values, keyOf)))
        putKey(groups, key, then.finish(group as unknown[]))
      return groups
    }),
  partitioningBy: (test: Apply, then: CollectorValue = toList()) =>
    collector((values) => ({
      false: then.finish(values.filter((value) => test(value) !== true)),
      true: then.finish(values.filter((value) => test(value) === true)),
    })),
  toMap: (keyOf: Apply, makeValue: Apply, join?: (one: unknown, other: unknown) => unknown) =>
    collector((values) => {
      const map: Dictionary = withOrder({}, 'hash')
      for (const value of values) {
        const key = keyOf(value)
        const given = makeValue(value)
        if (!Object.hasOwn(map, propertyOf(key))) putKey(map, key, given)
        else if (join) putKey(map, key, join(own(map, key), given))
        else
          throw new JavaFault(
            'illegal_state_exception',
            `Duplicate key ${textOf(key)} (attempted merging values ${textOf(own(map, key))} and ${textOf(given)})`,
          )
      }
      return map
    }),
}
