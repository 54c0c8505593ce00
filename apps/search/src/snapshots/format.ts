import type { ValueType } from '@logstack/rules'
import { z } from 'zod'

/** What the files of a repository hold, see ADR 0034. What does not fit is not read. */

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const count = z.number().int().nonnegative()
const valueTypes = [
  'string',
  'text',
  'long',
  'unsigned',
  'double',
  'boolean',
  'date',
  'date_nanos',
  'ip',
  'binary',
] as const satisfies readonly ValueType[]

const fieldColumn = z.strictObject({
  path: z.string(),
  type: z.enum(valueTypes),
  many: z.boolean(),
  indexed: z.boolean(),
})

const piece = z.strictObject({
  /** The range of `_seq_no` in cells (`cellRows`), both ends included. */
  firstCell: count,
  lastCell: count,
  rows: count,
  maxSeqNo: count,
  /** The sum of the rows' `_seq`, as text: tells, with rows and maximum, whether the piece is as it was. */
  seqSum: z.string().regex(/^\d+$/),
  /** Which of the manifest's layouts its files have. */
  layout: count,
  /** Of the sources, unpacked. */
  sourceBytes: count,
  files: z.array(z.strictObject({ sha256, bytes: count, rows: count })),
})

const manifest = z.strictObject({
  format: z.literal(1),
  name: z.string(),
  uuid: z.string(),
  createdAtMs: z.number(),
  settings: z.record(z.string(), z.string()),
  mapping: z.record(z.string(), z.unknown()),
  aliases: z.record(z.string(), z.record(z.string(), z.unknown())),
  dataStream: z.string().optional(),
  nextSeqNo: count,
  layouts: z.array(z.array(fieldColumn)),
  pieces: z.array(piece),
})

const snapshotIndex = z.strictObject({
  name: z.string(),
  uuid: z.string(),
  /** The blob of its manifest. */
  manifest: sha256,
  shards: count,
  rows: count,
  /** Of its files, the manifest among them. */
  files: count,
  bytes: count,
  /** What this snapshot had to write of them. */
  newFiles: count,
  newBytes: count,
})

const dataStream = z.looseObject({ name: z.string(), indices: z.array(z.string()), generation: count })

const record = z.strictObject({
  format: z.literal(1),
  snapshot: z.string(),
  uuid: z.string(),
  startMs: z.number(),
  endMs: z.number(),
  state: z.enum(['SUCCESS', 'PARTIAL']),
  includeGlobalState: z.boolean(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  indices: z.array(snapshotIndex),
  dataStreams: z.array(dataStream),
  failures: z.array(z.strictObject({ index: z.string(), reason: z.string(), shards: count })),
  /** The blob of the cluster's settings, templates, pipelines, policies and scripts. */
  globalState: sha256.optional(),
})

const globalState = z.strictObject({
  format: z.literal(1),
  collections: z.record(z.string(), z.record(z.string(), z.unknown())),
})

/** A column of documents' values in a file, named by its place: `v0` is the first. */
export type FileColumn = z.infer<typeof fieldColumn>
/** Rows of one index in a range of `_seq_no`, in one or several files. */
export type Piece = z.infer<typeof piece>
/** All of one index as a snapshot holds it. */
export type Manifest = z.infer<typeof manifest>
/** An index in a snapshot's record. */
export type SnapshotIndex = z.infer<typeof snapshotIndex>
/** A snapshot that is complete. */
export type SnapshotRecord = z.infer<typeof record>
/** What a snapshot holds of the cluster besides indices. */
export type GlobalState = z.infer<typeof globalState>

/** The forms of the JSON files. */
export const formats = { manifest, record, globalState } as const
