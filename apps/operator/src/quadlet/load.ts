import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { containerName, type PartName, parts } from '@logstack/contracts'
import { AppError, operatorErrors } from '@logstack/errors'
import { type ContainerDefinition, readContainer } from './container.ts'
import { mergeUnitFiles, parseUnitFile, type UnitFile } from './unit-file.ts'

/** Where definitions lie: the shipped files, and a directory whose `NAME.container.d/*.conf` files change them. */
export interface DefinitionPlaces {
  readonly quadletDir: string
  readonly dropInDir: string
}

/** The definitions of the five containers, with their drop-ins applied. */
export function loadDefinitions(places: DefinitionPlaces): Map<PartName, ContainerDefinition> {
  return new Map(parts.map((part) => [part, loadDefinition(places, part)]))
}

/** The definition of one container, with its drop-ins applied; `definition_invalid` when it is missing or cannot be read. */
export function loadDefinition(places: DefinitionPlaces, part: PartName): ContainerDefinition {
  const fileName = `${containerName(part)}.container`
  const base = readUnit(join(places.quadletDir, fileName))
  const dropInDir = join(places.dropInDir, `${fileName}.d`)
  return readContainer(mergeUnitFiles(base, confFiles(dropInDir).map(readUnit)))
}

function confFiles(dir: string): string[] {
  try {
    return readdirSync(dir)
      .filter((name) => name.endsWith('.conf'))
      .sort()
      .map((name) => join(dir, name))
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw thrown
  }
}

function readUnit(file: string): UnitFile {
  try {
    return parseUnitFile(readFileSync(file, 'utf8'), file)
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw thrown
    throw new AppError(operatorErrors.definition_invalid, `the definition ${file} is missing`, {
      cause: thrown,
      fix: `restore it, for example with: git checkout -- quadlet`,
    })
  }
}
