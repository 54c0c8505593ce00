import { LineCounter, parseDocument } from 'yaml'

/** What makes a text no YAML, in one line with the file's name and the line's number; undefined when nothing does. */
export function yamlProblem(file: string, text: string): string | undefined {
  const lineCounter = new LineCounter()
  const [error] = parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: true }).errors
  return error && `${file}:${lineCounter.linePos(error.pos[0]).line}: ${error.message}`
}
