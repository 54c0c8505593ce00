// Run by power-cut.int.test.ts on a disk whose power is cut: changes passwords without an end as `password set` does, and now and then the key. Says on standard output, in JSON
// lines, what is on disk by then: a value that is kept beside the secret before anybody is told it, and the secret.
import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { Vault } from './vault.ts'

const [folder = '', from = '0'] = process.argv.slice(2)
const vault = new Vault({ vaultDir: join(folder, 'vault'), vaultKeyFile: join(folder, 'vault-key') })
vault.create()
const say = (told: object): void => void writeSync(1, `${JSON.stringify(told)}\n`)
const names = vault.names()
say({ found: Object.fromEntries(names.map((name) => [name, vault.read(name)])) })
say({ staged: Object.fromEntries(vault.stagedNames().map((name) => [name, vault.readStaged(name)])) })
function change(number: number): void {
  const name = `account${number % 3}`
  vault.stage(name, String(number))
  say({ noted: name, value: String(number) })
  vault.commitStaged(name)
  say({ kept: name, value: String(number) })
  if (number % 10 === 9) vault.rekey()
  setImmediate(() => change(number + 1))
}
change(Number(from))
