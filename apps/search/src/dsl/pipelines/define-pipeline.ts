import type { z } from 'zod'
import type { JsonObject } from '../../json/json-object.ts'

/** A bucket as it was rendered; its name is the key where buckets are an object. */
export interface RenderedBucket {
  readonly name: string | undefined
  readonly answer: JsonObject
}

/** What a parent pipeline makes of the buckets it stands in. */
export interface ParentRun {
  /** The pipeline's own name. */
  readonly name: string
  /** The bucket with the pipeline's answer in it. */
  put(bucket: RenderedBucket, answer: JsonObject): RenderedBucket
}

/** A pipeline aggregation: its wire name, the strict schema of its body, the paths it reads and its work side by side. */
export type Pipeline<P> = {
  readonly name: string
  readonly schema: z.ZodType<P>
  /** The prefix of `typed_keys`. */
  readonly typedName: string
  /** The paths it reads, as they were written. */
  paths(parameters: P): readonly string[]
  /** Refuses parameters that mean nothing; `name` is that of the aggregation. */
  check?(parameters: P, name: string): void
} & (
  | {
      readonly place: 'parent'
      /** Whether the buckets must be those of a histogram without gaps. */
      readonly sequential: boolean
      run(parameters: P, buckets: readonly RenderedBucket[], run: ParentRun): readonly RenderedBucket[]
    }
  | {
      readonly place: 'sibling'
      /** `read` finds the values of a path over the buckets that have one. */
      run(parameters: P, read: SiblingRead): JsonObject
    }
)

/** The values of a path over the buckets of an aggregation beside the pipeline. */
export type SiblingRead = (path: string, gap: GapPolicy | undefined) => readonly BucketValue[]

/** What a bucket without a value counts as. */
export type GapPolicy = 'skip' | 'insert_zeros' | 'keep_values'

/** The value of one bucket. */
export interface BucketValue {
  /** The bucket's key as text. */
  readonly key: string
  readonly value: number
}

/** A pipeline whose body was read. */
export type ReadPipeline = {
  readonly paths: readonly string[]
  check(name: string): void
} & (
  | {
      readonly place: 'parent'
      readonly sequential: boolean
      run(buckets: readonly RenderedBucket[], run: ParentRun): readonly RenderedBucket[]
    }
  | { readonly place: 'sibling'; run(read: SiblingRead): JsonObject }
)

/** Declares a pipeline aggregation; `pipelines/index.ts` lists it. */
export function definePipeline<P>(pipeline: Pipeline<P>): Pipeline<P> {
  return pipeline
}
