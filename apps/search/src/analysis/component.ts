import type { FilterTokens } from '../tokens/token.ts'
import type { Options } from './options.ts'

/** A part of an analyzer by its wire name: `create` makes it from its options, which may throw `illegal_argument_exception`; settings give `filterOf`. */
export interface Component<Work> {
  readonly name: string
  /** Whether it may be named without a definition. */
  readonly needsOptions?: boolean
  create(options: Options, find: FindFilter, filterOf?: FilterOf): Work
}

/** Finds another part of the same settings by name; undefined when there is none. */
export type FindFilter = (name: string) => ((text: string) => readonly string[]) | undefined

/** The work of another token filter of the same settings, by its name or definition; throws when there is none. */
type FilterOf = (given: unknown) => FilterTokens

/** Declares a component; the registry of its folder lists it. */
export function defineComponent<Work>(component: Component<Work>): Component<Work> {
  return component
}

/** Components by name. */
export function componentsByName<Work>(components: readonly Component<Work>[]): ReadonlyMap<string, Component<Work>> {
  return new Map(components.map((component) => [component.name, component]))
}
