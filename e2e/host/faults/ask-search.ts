import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OperatorHost } from '../installed-host.ts'

const bodyFile = 'root/request-body.json'
const vaultFile = 'etc/logstack/vault/elastic'
const known = new Map<string, string>()

/** The administrator's stored password; decrypted once for each content of the vault's file. */
export async function storedPassword(host: OperatorHost): Promise<string> {
  const sealed = readFileSync(join(host.root, vaultFile), 'utf8')
  const password = known.get(sealed) ?? (await host.run('logstack', 'password', 'show')).trim()
  known.set(sealed, password)
  return password
}

/** A request to search on the host as the administrator, as a person would send it with curl; throws unless the answer is 2xx. */
export async function askSearch(host: OperatorHost, method: string, path: string, body?: unknown): Promise<string> {
  if (body !== undefined) writeFileSync(join(host.root, bodyFile), JSON.stringify(body))
  const data = body === undefined ? '' : `--header 'content-type: application/json' --data @/${bodyFile}`
  return host.shell(
    `curl --silent --show-error --fail-with-body --insecure --retry 10 --retry-all-errors --retry-delay 2 \
      --user 'elastic:${await storedPassword(host)}' --request ${method} ${data} 'https://localhost:9200${path}'`,
  )
}
