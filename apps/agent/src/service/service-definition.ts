/** How a system keeps the agent running. */
export interface ServiceDefinition {
  /** Its keyword on the command line. */
  readonly name: string
  /** The file that the system reads, for a command given word by word. */
  render(argv: readonly string[]): Buffer
  /** The command that takes the file and starts the agent. */
  start(file: string): string
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** A text inside an XML element. */
export function xmlText(text: string): string {
  return text.replace(/[&<>]/g, (character) => entities[character] ?? character)
}
