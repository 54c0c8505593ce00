import type { Fields } from '../ecs/fields.ts'

/** A rule looked at as each event passes: what it adds to the document when the event fits, undefined otherwise. Keeps no state between events. */
export interface Detection {
  readonly id: string
  readonly name: string
  inspect(document: Fields): Fields | undefined
}

/**
 * Detections shipped with the product. There are none yet: rules run in the alerter, over stored events. Rules at ingest get the predicate form of
 * `@logstack/rules` and files in `rules/detections`.
 */
export const detections: readonly Detection[] = []
