import { readdirSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { decodeFrame, type SpoolRecord } from './frame.ts'

/** One file of the spool: records from offset `first` on. */
export interface Segment {
  readonly first: number
  readonly path: string
  bytes: number
}

const nameDigits = 16
const namePattern = /^(\d{16})\.segment$/

/** The path of the segment whose first record has offset `first`. */
export function segmentPath(folder: string, first: number): string {
  return join(folder, `${String(first).padStart(nameDigits, '0')}.segment`)
}

/** The segments of a folder, oldest first. */
export function listSegments(folder: string): Segment[] {
  return readdirSync(folder)
    .flatMap((name) => {
      const first = namePattern.exec(name)?.[1]
      if (first === undefined) return []
      const path = join(folder, name)
      return [{ first: Number(first), path, bytes: statSync(path).size }]
    })
    .sort((a, b) => a.first - b.first)
}

/** Calls `visit` for every whole record of a segment and cuts a torn end off the file, so that appending goes on behind the last whole one. */
export function recoverSegment(segment: Segment, visit: (record: SpoolRecord) => void): { readonly cutBytes: number } {
  const bytes = readFileSync(segment.path)
  let position = 0
  for (let frame = decodeFrame(bytes, 0); typeof frame === 'object'; frame = decodeFrame(bytes, position)) {
    visit(frame.record)
    position = frame.end
  }
  const cutBytes = bytes.length - position
  if (cutBytes > 0) truncateSync(segment.path, position)
  segment.bytes = position
  return { cutBytes }
}
