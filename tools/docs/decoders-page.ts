import { readdirSync, readFileSync } from 'node:fs'
import { readYamlMaps } from '../../packages/rules/src/index.ts'

const folder = 'rules/decoders'

interface Decoder {
  readonly name: string
  readonly title: string
  readonly programs?: readonly string[]
  readonly paths?: readonly string[]
  readonly datasets?: readonly string[]
  readonly contains?: readonly string[]
  readonly dataset?: string
  readonly events: readonly { readonly name: string; readonly dataset?: string }[]
}

interface Sample {
  readonly event: string
  readonly document: Readonly<Record<string, unknown>>
}

/** The coverage of decoders: one row a file of `rules/decoders`, with what its samples show. */
export function renderDecodersPage(): string {
  const decoders = readdirSync(folder)
    .filter((name) => name.endsWith('.yml'))
    .sort()
    .map((name) => readMap<Decoder>(`${folder}/${name}`))
  const rows = decoders.map(row)
  const events = decoders.reduce((sum, { events: { length } }) => sum + length, 0)
  return `# Decoders

Made by \`npm run docs\` from \`rules/decoders\`: ${decoders.length} decoders with ${events} kinds of events. A decoder is a data file; its sample events and the
documents they must give, field by field, stand in \`rules/decoders/samples\`, and \`npm test\` holds the one to the other. All are written from
what the products' makers document in public.

A decoder says which events it looks at (\`programs\` of syslog and the journal, \`paths\` of log files, \`datasets\`, texts the message \`contains\`), takes
them apart with \`steps\` (\`match\`, \`grok\`, \`dissect\`, \`kv\`, \`csv\`, \`json\`, \`xml\`, \`cef\`, \`leef\`) and writes fields of the Elastic Common Schema (\`set\`,
\`map\`, \`keep\`, \`time\`). The first event that fits wins. A pattern must be one that runs in time proportional to the event's length: others are refused
when the file is read. An event that no decoder takes although one is for its source is stored whole, with the tag \`unparsed\`.

| decoder | reads | looked at | data set | events (samples) | outcomes and actions |
|---|---|---|---|---|---|
${rows.join('\n')}
`
}

function readMap<T>(path: string): T {
  const read = readYamlMaps(readFileSync(path, 'utf8'))
  if ('problem' in read) throw new Error(`${path}:${read.problem.line}: ${read.problem.message}`)
  return read[0]?.value as T
}

function row(decoder: Decoder): string {
  const { samples } = readMap<{ samples: readonly Sample[] }>(`${folder}/samples/${decoder.name}.yml`)
  const events = decoder.events.map(({ name }) => {
    const count = samples.filter(({ event }) => event === name).length
    return count > 0 ? `${name} (${count})` : name
  })
  const actions = [...new Set(samples.map(({ document }) => document['event.action']))].filter(
    (action) => typeof action === 'string',
  )
  const datasets = [...new Set([decoder.dataset, ...decoder.events.map(({ dataset }) => dataset)])].filter(
    (dataset) => dataset !== undefined,
  )
  const cells = [
    `\`${decoder.name}\``,
    decoder.title,
    sources(decoder),
    datasets.map((dataset) => `\`${dataset}\``).join(', '),
    events.join(', '),
    actions.sort().join(', '),
  ]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

function sources({ programs = [], paths = [], datasets = [], contains = [] }: Decoder): string {
  const shown = (list: readonly string[]): string =>
    list
      .slice(0, 4)
      .map((item) => `\`${item}\``)
      .join(' ') + (list.length > 4 ? ' …' : '')
  return [
    programs.includes('*') ? `any with ${shown(contains)}` : shown(programs),
    shown(paths),
    programs.length + paths.length === 0 ? shown(datasets) : '',
  ]
    .filter((text) => text !== '')
    .join(', ')
}
