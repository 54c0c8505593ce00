import { HostObject } from './host-object.ts'
import { ScriptFault } from './script-error.ts'

/** What a script may throw or catch by name, each with the class it is one of. */
const parents: Readonly<Record<string, string | undefined>> = {
  Exception: undefined,
  RuntimeException: 'Exception',
  ArithmeticException: 'RuntimeException',
  ClassCastException: 'RuntimeException',
  DateTimeException: 'RuntimeException',
  DateTimeParseException: 'DateTimeException',
  IllegalArgumentException: 'RuntimeException',
  IllegalStateException: 'RuntimeException',
  IndexOutOfBoundsException: 'RuntimeException',
  NoSuchElementException: 'RuntimeException',
  NullPointerException: 'RuntimeException',
  NumberFormatException: 'IllegalArgumentException',
  StringIndexOutOfBoundsException: 'IndexOutOfBoundsException',
  UnsupportedOperationException: 'RuntimeException',
  UnsupportedTemporalTypeException: 'DateTimeException',
  ZoneRulesException: 'DateTimeException',
}

/** Whether a name is a class of exceptions that scripts know. */
export function isException(name: string): boolean {
  return Object.hasOwn(parents, name)
}

/** Elasticsearch's type of an exception: `IllegalArgumentException` is `illegal_argument_exception`. */
function typeOf(name: string): string {
  return name.replace(/(?<=.)[A-Z]/gu, (letter) => `_${letter}`).toLowerCase()
}

const byType = new Map(Object.keys(parents).map((name) => [typeOf(name), name]))

/** An exception as a script holds it. */
export class ExceptionValue extends HostObject {
  override readonly className: string
  readonly fault: ScriptFault

  constructor(fault: ScriptFault) {
    super()
    this.fault = fault
    this.className = `java.lang.${byType.get(fault.type) ?? 'RuntimeException'}`
  }

  override method(name: string): ((...args: unknown[]) => unknown) | undefined {
    if (name === 'getMessage' || name === 'getLocalizedMessage') return () => this.fault.message
    return name === 'toString' ? () => this.text() : undefined
  }

  override text(): string {
    return `${this.className}: ${this.fault.message}`
  }
}

/** The exception of a class with a message, thrown at a place of the script. */
export function exceptionOf(name: string, message: string, at: number): ExceptionValue {
  return new ExceptionValue(new ScriptFault(at, message, typeOf(name)))
}

/** Whether `catch (name e)` catches a fault. The limits of scripts are errors, which no script catches. */
export function catches(name: string, { type }: ScriptFault): boolean {
  if (type.endsWith('_error')) return false
  for (let known: string | undefined = byType.get(type) ?? 'RuntimeException'; known; known = parents[known]) {
    if (known === name) return true
  }
  return false
}
