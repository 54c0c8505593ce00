import { AppError, searchErrors } from '@logstack/errors'
import { javaType } from './ingest-document.ts'
import { compileTemplate, type Template } from './template.ts'

/** The options of one processor as they are read; what nobody asked for is refused at the end. */
export class ProcessorConfig {
  readonly type: string
  readonly tag: string | undefined
  readonly #options: Readonly<Record<string, unknown>>
  readonly #read = new Set<string>()

  constructor(type: string, options: Readonly<Record<string, unknown>>) {
    this.type = type
    this.#options = options
    const { tag } = options
    this.tag = typeof tag === 'string' ? tag : undefined
    this.#read.add('tag')
  }

  /** `parse_exception` that names the processor and the option. */
  fault(option: string | undefined, reason: string, cause?: Error): AppError {
    return new AppError(searchErrors.parse_exception, option === undefined ? reason : `[${option}] ${reason}`, {
      detail: {
        processor_type: this.type,
        ...(this.tag === undefined ? {} : { processor_tag: this.tag }),
        ...(option === undefined ? {} : { property_name: option }),
      },
      ...(cause ? { cause } : {}),
    })
  }

  /** An option as given, undefined when it is not. */
  any(option: string): unknown {
    this.#read.add(option)
    return Object.hasOwn(this.#options, option) ? (this.#options[option] ?? undefined) : undefined
  }

  /** An option that must be there. */
  required(option: string): unknown {
    const value = this.any(option)
    if (value === undefined) throw this.fault(option, 'required property is missing')
    return value
  }

  /** A text option; undefined when it is not given. */
  optionalText(option: string): string | undefined {
    const value = this.any(option)
    if (value === undefined || typeof value === 'string') return value
    throw this.fault(option, `property isn't a string, but of type [${javaType(value)}]`)
  }

  /** A text that must be given. */
  text(option: string): string {
    this.required(option)
    return this.optionalText(option) ?? ''
  }

  /** A text that may name fields. */
  template(option: string): Template {
    return this.compiled(option, this.text(option))
  }

  /** Compiles a text of an option that may name fields. */
  compiled(option: string, text: string): Template {
    try {
      return compileTemplate(text)
    } catch (thrown) {
      throw thrown instanceof AppError ? this.fault(option, thrown.message) : thrown
    }
  }

  boolean(option: string, otherwise = false): boolean {
    const value = this.any(option)
    if (value === undefined) return otherwise
    if (value === true || value === 'true') return true
    if (value === false || value === 'false') return false
    throw this.fault(option, `property isn't a boolean, but of type [${javaType(value)}]`)
  }

  integer(option: string): number | undefined {
    const value = this.any(option)
    if (value === undefined) return undefined
    if (/^-?\d+$/.test(String(value))) return Number(value)
    throw this.fault(option, `property cannot be converted to an int [${String(value)}]`)
  }

  /** A list of texts, undefined when it is not given; a single text is a list of one where `orText`. */
  optionalTexts(option: string, orText = false): string[] | undefined {
    const value = this.any(option)
    if (value === undefined) return undefined
    if (orText && typeof value === 'string') return [value]
    if (Array.isArray(value)) {
      const odd = value.find((one) => typeof one === 'object')
      if (odd !== undefined)
        throw this.fault(option, `property is a list of texts, but holds one of type [${javaType(odd)}]`)
      return value.map(String)
    }
    throw this.fault(option, `property isn't a list, but of type [${javaType(value)}]`)
  }

  /** A list of texts that must be given. */
  texts(option: string, orText = false): string[] {
    this.required(option)
    return this.optionalTexts(option, orText) ?? []
  }

  optionalObject(option: string): Readonly<Record<string, unknown>> | undefined {
    const value = this.any(option)
    if (value === undefined) return undefined
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
    throw this.fault(option, `property isn't a map, but of type [${javaType(value)}]`)
  }

  optionalList(option: string): readonly unknown[] | undefined {
    const value = this.any(option)
    if (value === undefined || Array.isArray(value)) return value
    throw this.fault(option, `property isn't a list, but of type [${javaType(value)}]`)
  }

  /** Refuses options that were not read. */
  finish(): void {
    const unknown = Object.keys(this.#options).filter((option) => !this.#read.has(option))
    if (unknown.length === 0) return
    throw this.fault(
      undefined,
      `processor [${this.type}] doesn't support one or more provided configuration parameters [${unknown.join(', ')}]`,
    )
  }
}
