import { AppError, operatorErrors } from '@logstack/errors'

/** One `key=value` line of a unit file, and where it stands. */
export interface Assignment {
  readonly section: string
  readonly key: string
  readonly value: string
  readonly file: string
  readonly line: number
}

/** A parsed unit file (systemd.syntax(7)); later files given to `merge` are its drop-ins. */
export interface UnitFile {
  readonly file: string
  readonly assignments: readonly Assignment[]
}

/** Parses the text of a unit file: sections, comments, continued lines. Anything else is `definition_invalid` with its line. */
export function parseUnitFile(text: string, file: string): UnitFile {
  const assignments: Assignment[] = []
  let section = ''
  for (const { text: line, number } of logicalLines(text)) {
    const header = /^\[([^\]]+)\]$/.exec(line)
    if (header) {
      section = header[1] ?? ''
      continue
    }
    const equals = line.indexOf('=')
    if (equals < 1 || section === '') throw invalid(file, number, `expected key=value, found [${line}]`)
    const key = line.slice(0, equals).trim()
    if (!/^[A-Za-z0-9-]+$/.test(key)) throw invalid(file, number, `[${key}] is not a key`)
    assignments.push({ section, key, value: line.slice(equals + 1).trim(), file, line: number })
  }
  return { file, assignments }
}

/** A unit file with its drop-ins, in the order in which they apply. */
export function mergeUnitFiles(base: UnitFile, dropIns: readonly UnitFile[]): UnitFile {
  return { file: base.file, assignments: [base, ...dropIns].flatMap((unit) => unit.assignments) }
}

/** All values of a key in order; an empty assignment forgets the ones before it, as systemd does. */
export function allOf(unit: UnitFile, section: string, key: string): Assignment[] {
  let found: Assignment[] = []
  for (const assignment of unit.assignments) {
    if (assignment.section !== section || assignment.key !== key) continue
    found = assignment.value === '' ? [] : [...found, assignment]
  }
  return found
}

/** The value of a key that counts, the last one; undefined when absent or emptied. */
export function lastOf(unit: UnitFile, section: string, key: string): Assignment | undefined {
  return allOf(unit, section, key).at(-1)
}

/** An error about one line of a definition, with what to do. */
export function invalid(file: string, line: number, problem: string): AppError {
  return new AppError(operatorErrors.definition_invalid, `${file}:${line}: ${problem}`, {
    detail: { file, line },
    fix: `mend line ${line} of ${file}, then: ./logstack config check`,
  })
}

function* logicalLines(text: string): Generator<{ text: string; number: number }> {
  let joined = ''
  let start = 0
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const trimmed = raw.trim()
    // Comments are skipped even between continued lines.
    if (trimmed.startsWith('#') || trimmed.startsWith(';')) continue
    if (joined === '') start = index + 1
    if (trimmed.endsWith('\\')) {
      joined += `${trimmed.slice(0, -1)} `
      continue
    }
    joined += trimmed
    if (joined.trim() !== '') yield { text: joined.trim(), number: start }
    joined = ''
  }
  if (joined.trim() !== '') yield { text: joined.trim(), number: start }
}
