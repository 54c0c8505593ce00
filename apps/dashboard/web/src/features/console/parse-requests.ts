/** One request of the editor's text. */
export interface ConsoleRequest {
  readonly method: string
  readonly path: string
  /** The body as it will be sent; undefined when there is none. */
  readonly body: string | undefined
  /** Lines of the text, counted from 0, last one included. */
  readonly firstLine: number
  readonly lastLine: number
}

const requestLine = /^\s*(GET|POST|PUT|DELETE|HEAD)\s+(\S.*?)\s*$/i
const commentLine = /^\s*(#|\/\/)/

/** Splits the text into requests: a method and a path, then the body's lines until the next request. Comments begin with `#` or `//`. */
export function parseRequests(text: string): ConsoleRequest[] {
  const requests: ConsoleRequest[] = []
  const lines = text.split('\n')
  let open: { method: string; path: string; firstLine: number; body: string[]; lastLine: number } | undefined
  const close = (): void => {
    if (!open) return
    const { method, path, firstLine, lastLine } = open
    requests.push({ method, path, body: bodyOf(path, open.body), firstLine, lastLine })
    open = undefined
  }
  for (const [number, line] of lines.entries()) {
    const found = requestLine.exec(line)
    if (found) {
      close()
      open = {
        method: (found[1] ?? 'GET').toUpperCase(),
        path: found[2] ?? '',
        firstLine: number,
        body: [],
        lastLine: number,
      }
    } else if (open && !commentLine.test(line)) {
      open.body.push(line)
      if (line.trim() !== '') open.lastLine = number
    }
  }
  close()
  return requests
}

/** The request at a line: the one that holds it, else the nearest one above. */
export function requestAt(requests: readonly ConsoleRequest[], line: number): ConsoleRequest | undefined {
  return [...requests].reverse().find((request) => request.firstLine <= line) ?? requests[0]
}

function bodyOf(path: string, lines: readonly string[]): string | undefined {
  const text = joinTripleQuotes(lines.join('\n')).trim()
  if (text === '') return undefined
  // NDJSON must end with a newline, or its last line is lost.
  return /_bulk|_msearch/.test(path) ? `${text}\n` : text
}

// Scripts and queries are written over several lines between three quotes; JSON wants one string.
function joinTripleQuotes(text: string): string {
  return text.replace(/"""([\s\S]*?)"""/g, (_whole, inner: string) => JSON.stringify(inner.replace(/^\n|\n\s*$/g, '')))
}
