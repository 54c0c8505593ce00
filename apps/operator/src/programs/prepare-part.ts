import { fileURLToPath } from 'node:url'
import type { PartName } from '@logstack/contracts'
import { AppError, isAppError, messageOf, operatorErrors } from '@logstack/errors'
import { renewLeafs } from '../certificates/leafs.ts'
import { disksMissingUnder } from '../places/mounts.ts'
import type { Paths } from '../places/paths.ts'
import { parsePart } from '../runtimes/start-order.ts'
import { openHostStack } from '../stack.ts'
import { deliverSecrets } from '../vault/deliver-secrets.ts'

// What systemd runs before each start of a part's container: its disk must be there, its certificate is renewed when it ends soon or the host got another name or
// address, and its secrets are put into memory. What it says stands in the unit's journal.
async function prepare(): Promise<void> {
  try {
    const part = parsePart(process.argv[2] ?? '')
    const stack = openHostStack({ programDir: fileURLToPath(new URL('..', import.meta.url)) })
    requireDisk(part, stack.paths)
    for (const { reason } of await renewLeafs(stack, { parts: [part] })) {
      process.stderr.write(`renewed the certificate of ${part}: it ${reason}\n`)
    }
    deliverSecrets(stack, part)
  } catch (thrown) {
    const fix = isAppError(thrown) && thrown.fix ? `\n  fix: ${thrown.fix}` : ''
    process.stderr.write(`logstack: ${messageOf(thrown)}${fix}\n`)
    process.exitCode = 1
  }
}

/**
 * `disk_missing` where the table of file systems has a disk for the part's data, and nothing is mounted there. The part would begin anew in the empty
 * folder, take events, and lose them from sight once the disk is back. systemd tries again until it is.
 */
function requireDisk(part: PartName, paths: Paths): void {
  const [missing] = disksMissingUnder(paths.volume(`logstack_data_${part}`))
  if (missing === undefined) return
  throw new AppError(
    operatorErrors.disk_missing,
    `no disk is mounted at ${missing.point}, where /etc/fstab has ${missing.source}: ${part} does not start without its data`,
    { fix: `mount ${missing.point}` },
  )
}

void prepare()
