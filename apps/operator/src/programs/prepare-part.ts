import { fileURLToPath } from 'node:url'
import { isAppError, messageOf } from '@logstack/errors'
import { renewLeafs } from '../certificates/leafs.ts'
import { parsePart } from '../runtimes/start-order.ts'
import { openHostStack } from '../stack.ts'
import { deliverSecrets } from '../vault/deliver-secrets.ts'

// What systemd runs before each start of a part's container: its certificate is renewed when it ends soon or the host got another name or
// address, and its secrets are put into memory. What it says stands in the unit's journal.
async function prepare(): Promise<void> {
  try {
    const part = parsePart(process.argv[2] ?? '')
    const stack = openHostStack({ programDir: fileURLToPath(new URL('..', import.meta.url)) })
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

void prepare()
