import { propertyOf } from './java-values.ts'
import type { Dictionary } from './script-map.ts'

/** The maps that lists show, and the key at each place. */
const shown = new WeakMap<readonly unknown[], { readonly map: Dictionary; keys: readonly unknown[] }>()

/** Makes a list the view of a map: what is removed from it goes out of the map. `keys`: of each element. */
export function asView<T extends readonly unknown[]>(list: T, map: Dictionary, keys: readonly unknown[]): T {
  shown.set(list, { map, keys })
  return list
}

/** Keeps the elements of a list for which a test holds, in the map it shows too; whether others were in it. */
export function keepWhere(list: unknown[], test: (value: unknown) => boolean): boolean {
  const view = shown.get(list)
  const kept = list.map(test)
  if (view) {
    for (const [at, key] of view.keys.entries()) if (kept[at] === false) delete view.map[propertyOf(key)]
    view.keys = view.keys.filter((_, at) => kept[at] === true)
  }
  let length = 0
  for (const [at, value] of [...list].entries()) if (kept[at] === true) list[length++] = value
  const isChanged = length !== list.length
  list.length = length
  return isChanged
}

/** Takes the element at a place out of a list, and out of the map it shows. */
export function dropAt(list: unknown[], at: number): void {
  const view = shown.get(list)
  if (view) {
    delete view.map[propertyOf(view.keys[at])]
    view.keys = view.keys.toSpliced(at, 1)
  }
  list.splice(at, 1)
}
