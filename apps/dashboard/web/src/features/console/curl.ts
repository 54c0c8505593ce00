import type { ConsoleRequest } from './parse-requests.ts'

/** A request as a command for a shell: asks for the user's password, trusts the stack's own authority in `root-ca.crt`. */
export function curlCommand(request: ConsoleRequest, address: string, user: string): string {
  const { method, path, body } = request
  const isNdjson = /_bulk|_msearch/.test(path)
  const parts = [
    `curl --globoff --cacert root-ca.crt -u ${quoted(user)}`,
    method === 'HEAD' ? '--head' : `-X ${method}`,
    quoted(`${address}/${path.replace(/^\//, '').replaceAll(' ', '%20')}`),
    ...(body === undefined
      ? []
      : [
          `-H 'Content-Type: application/${isNdjson ? 'x-ndjson' : 'json'}'`,
          // What begins with @ would be read from a file; newlines are part of NDJSON.
          `--data-binary ${quoted(body)}`,
        ]),
  ]
  return parts.join(' ')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
