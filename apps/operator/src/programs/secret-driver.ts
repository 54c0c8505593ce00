import { readFileSync } from 'node:fs'
import { messageOf } from '@logstack/errors'
import { hostPaths } from '../places/paths.ts'
import { runSecretDriver, secretNameVariable } from '../vault/secret-driver.ts'

// What podman runs for every secret of the stack: `secret-driver list|lookup|store|delete`, the secret's id in SECRET_ID.
const { vaultDir, vaultKeyFile } = hostPaths('')
try {
  process.stdout.write(
    runSecretDriver(
      { vaultDir, vaultKeyFile, secretsFile: '/var/lib/containers/storage/secrets/secrets.json' },
      {
        verb: process.argv[2] ?? '',
        id: process.env['SECRET_ID'] ?? '',
        name: process.env[secretNameVariable],
        readInput: () => readFileSync(0, 'utf8'),
      },
    ),
  )
} catch (thrown) {
  process.stderr.write(`logstack secret driver: ${messageOf(thrown)}\n`)
  process.exitCode = 1
}
