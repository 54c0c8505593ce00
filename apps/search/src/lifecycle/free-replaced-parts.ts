import { unusedSlot } from '../indices/tables.ts'
import type { Services } from '../services.ts'
import { ident, num, sql } from '../sql/sql.ts'

/** Parts that are left longer than the engine should take for them, in seconds. */
const leftSeconds = 15
/** What is worth a statement for each table, in bytes of all of them; less is left to the engine for so many seconds. */
const worthBytes = 4 * 1024 ** 2
const smallLeftSeconds = 900

/**
 * Frees the space of parts that a merge or a deletion has replaced. The engine does that by itself only while it has something to merge, which is
 * not so on a disk that is full: there its background work sleeps up to ten minutes. Dropping a partition that no index is ever put into does it at once.
 * The small parts that a stack at rest replaces are no reason to.
 */
export async function freeReplacedParts({ engine }: Pick<Services, 'engine'>): Promise<void> {
  const tables = await engine.rows(
    sql`SELECT table FROM (SELECT table, sum(bytes_on_disk) AS bytes, min(remove_time) AS since, sum(bytes) OVER () AS all_bytes FROM system.parts
      WHERE NOT active AND remove_time < now() - ${num(leftSeconds)} AND database = currentDatabase() AND table LIKE 'events\\_%' GROUP BY table)
      WHERE all_bytes >= ${num(worthBytes)} OR since < now() - ${num(smallLeftSeconds)}`,
  )
  for (const [table] of tables) {
    await engine.execute(sql`ALTER TABLE ${ident(String(table))} DROP PARTITION ${num(unusedSlot)}`, { slow: true })
  }
}
