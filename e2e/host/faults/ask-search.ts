import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OperatorHost } from '../installed-host.ts'

const bodyFile = 'root/request-body.json'

/** A request to search on the host as the administrator, as a person would send it with curl; throws unless the answer is 2xx. */
export async function askSearch(host: OperatorHost, method: string, path: string, body?: unknown): Promise<string> {
  if (body !== undefined) writeFileSync(join(host.root, bodyFile), JSON.stringify(body))
  const data = body === undefined ? '' : `--header 'content-type: application/json' --data @/${bodyFile}`
  return host.shell(
    `curl --silent --show-error --fail-with-body --insecure --retry 10 --retry-all-errors --retry-delay 2 \
      --user "elastic:$(logstack password show)" --request ${method} ${data} 'https://localhost:9200${path}'`,
  )
}
