import { HostObject } from './host-object.ts'

/** A value of a `binary` field as a script holds it. */
export class BytesValue extends HostObject {
  override readonly className = 'org.apache.lucene.util.BytesRef'
  override readonly isValue = true
  readonly #bytes: Buffer

  /** `base64`: as the document has it. */
  constructor(base64: string) {
    super()
    this.#bytes = Buffer.from(base64, 'base64')
  }

  override member(name: string): unknown {
    return name === 'length' ? this.#bytes.length : undefined
  }

  override method(name: string): ((...args: unknown[]) => unknown) | undefined {
    if (name === 'utf8ToString') return () => this.#bytes.toString('utf8')
    if (name === 'get') return (at) => this.#bytes.readInt8(Number(at))
    return undefined
  }

  override text(): string {
    return `[${[...this.#bytes].map((byte) => byte.toString(16)).join(' ')}]`
  }
}
