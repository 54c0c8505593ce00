import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { defineFault } from '../../doctor/define-fault.ts'
import { readJsonFile } from '../../places/read-json-file.ts'
import { secretNames, podmanSecrets as step } from '../../steps/host/podman-secrets.ts'

const listSchema = z.object({ nameToID: z.record(z.string(), z.string()).default({}) })

/** The container runtime's secret store lacks an entry of the vault. */
export const podmanSecrets = defineFault<readonly string[]>({
  name: 'podman-secrets',
  title: 'secrets of podman',
  runtimes: ['podman'],
  explainedBy: ['container-runtime', 'mounts', 'units', 'vault'],
  async diagnose({ stack }) {
    const file = join(stack.paths.volumesDir, '../secrets/secrets.json')
    const listed = existsSync(file)
      ? readJsonFile(file, listSchema, 'move it away; logstack install makes the entries anew').nameToID
      : {}
    const wanted = secretNames(stack)
    const missing = wanted.filter((name) => !(name in listed))
    if (missing.length === 0) return { status: 'healthy', detail: `${wanted.length} stand for files of the vault` }
    const finding = await step.diagnose(stack)
    return {
      status: 'fault',
      problem: `podman has no secret ${missing.map((name) => `[${name}]`).join(', ')}`,
      evidence: missing.map(
        (name) =>
          `${file} does not list ${name}; ${join(stack.paths.vaultDir, name)} is ${stack.vault.has(name) ? 'there' : 'missing too'}`,
      ),
      meaning: 'parts that need it cannot start again, and scripts that list secrets do not find it',
      found: finding.done ? [] : finding.plan,
    }
  },
  plan: (_context, commands) => commands,
  async repair({ stack }, _commands, progress) {
    await step.apply(stack, progress)
    await step.prove(stack)
  },
})
