import { readdirSync, readFileSync } from 'node:fs'
import { readYamlMaps } from '../../packages/rules/src/index.ts'

type YamlValue = Readonly<Record<string, unknown>>

/** What was measured by hand: `docs/detections.json`. */
interface Measured {
  readonly date: string
  readonly machine: string
  readonly commands: readonly string[]
  readonly facts: readonly { readonly what: string; readonly figure: string }[]
}

const levels = ['low', 'low', 'medium', 'high', 'critical']

/** The page of shipped rules, and of what was measured with real ones (`docs/detections.json`). */
export function renderDetectionsPage(): string {
  const rows = ['alerts', 'sigma', 'detections'].flatMap((folder) =>
    readdirSync(`rules/${folder}`)
      .filter((name) => name.endsWith('.yml'))
      .sort()
      .flatMap((name) => documentsOf(`rules/${folder}/${name}`).map((rule) => row(rule, `rules/${folder}/${name}`))),
  )
  const measured = JSON.parse(readFileSync('docs/detections.json', 'utf8')) as Measured
  const mappings = readdirSync('rules/mappings')
    .filter((name) => name !== 'placeholders.yml')
    .sort()
    .map((name) => mappingRow(name))
  return `# Detections

Made by \`npm run docs\` from \`rules/\` and \`docs/detections.json\`. Every Sigma rule has test events in \`rules/tests\`, which \`npm test\` runs.

## Shipped rules

| rule | kind | level | ATT&CK | what it finds |
|---|---|---|---|---|
${rows.join('\n')}

## Log sources of Sigma rules

| file | index patterns | services | categories |
|---|---|---|---|
${mappings.join('\n')}

## Measured with real rules and events

On ${measured.date}, ${measured.machine}:

${measured.commands.map((command) => `- \`${command}\``).join('\n')}

| what | figure |
|---|---|
${measured.facts.map(({ what, figure }) => `| ${what} | ${figure} |`).join('\n')}
`
}

function documentsOf(file: string): readonly YamlValue[] {
  const maps = readYamlMaps(readFileSync(file, 'utf8'))
  if ('problem' in maps) throw new Error(`${file}:${maps.problem.line}: ${maps.problem.message}`)
  return maps.map(({ value }) => value)
}

function row(rule: YamlValue, file: string): string {
  const correlation = rule['correlation'] as YamlValue | undefined
  const kind = correlation
    ? `Sigma ${correlation['type']}`
    : 'detection' in rule
      ? 'Sigma'
      : `ElastAlert ${rule['type']}`
  const tags = (rule['tags'] ?? []) as readonly string[]
  const techniques = tags
    .filter((tag) => /^attack\.t\d/u.test(tag))
    .map((tag) => tag.slice('attack.'.length).toUpperCase())
  const cells = [
    `[${rule['title'] ?? rule['name']}](../${file})`,
    kind,
    String(rule['level'] ?? levels[Number(rule['priority'] ?? 2)]),
    techniques.join(', '),
    String(rule['description'] ?? '')
      .replaceAll('\n', ' ')
      .trim(),
  ]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

function mappingRow(name: string): string {
  const [mapping = {}] = documentsOf(`rules/mappings/${name}`)
  const count = (key: string): number => Object.keys((mapping[key] ?? {}) as object).length
  const index = (mapping['index'] as readonly string[]).join(', ')
  return `| [${name}](../rules/mappings/${name}) | ${index} | ${count('services')} | ${count('categories')} |`
}
