/** A page under docs/, a shipped dashboard, or what a page knows of search, that is written from code. `render` gives its whole text; the tidy tests hold the file to it. */
export interface GeneratedDoc {
  readonly path: string
  render(): string | Promise<string>
}
