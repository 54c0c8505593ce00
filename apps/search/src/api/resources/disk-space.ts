import type { Services } from '../../services.ts'
import { sql } from '../../sql/sql.ts'

/** The file system the data lies on, in bytes. */
export interface DiskSpace {
  /** Where the engine keeps its data. */
  readonly path: string
  readonly totalBytes: number
  readonly freeBytes: number
}

/** Asks the engine for the file system under its data. */
export async function diskSpace({ engine }: Pick<Services, 'engine'>): Promise<DiskSpace> {
  const [row] = await engine.rows(
    sql`SELECT path, total_space, unreserved_space FROM system.disks WHERE name = 'default'`,
  )
  return { path: String(row?.[0] ?? ''), totalBytes: Number(row?.[1] ?? 0), freeBytes: Number(row?.[2] ?? 0) }
}
