/** What a method throws in Java, where a mere error does not say which: `type` is Elasticsearch's. The caller knows the place in the script. */
export class JavaFault extends Error {
  readonly type: string

  constructor(type: string, message: string) {
    super(message)
    this.type = type
  }
}
