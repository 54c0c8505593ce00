import { readdirSync, readFileSync } from 'node:fs'

const folder = 'rules/pipelines'

type Step = Readonly<Record<string, unknown>>

interface Definition {
  readonly description: string
  readonly processors: readonly Step[]
  readonly on_failure: readonly Step[]
}

/** The coverage of the shipped ingest pipelines: one row a folder of `rules/pipelines`. */
export function renderPipelinesPage(): string {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
  return `# Ingest pipelines

Made by \`npm run docs\` from \`rules/pipelines\`: ${names.length} pipelines in Elasticsearch's form, for events that shippers send straight to search. Each is a folder
with the pipeline, sample events and the whole documents they must give; \`npm test\` holds the one to the other. All are written from what the
products' makers document in public, and write fields of the Elastic Common Schema.

To use one, put it and name it where documents are written (\`?pipeline=nginx-access\`, a Beat's \`output.elasticsearch.pipeline\`) or as the
\`index.default_pipeline\` of an index or a template:

\`\`\`
curl --cacert root-ca.crt -u elastic -X PUT https://localhost:9200/_ingest/pipeline/nginx-access \\
  -H 'content-type: application/json' --data-binary @rules/pipelines/nginx-access/pipeline.json
\`\`\`

A pipeline reads the line in \`message\`. It stays there; where the line holds a text of its own, \`message\` becomes that text and \`event.original\` the
line. A line that cannot be read is kept whole, with \`event.kind: pipeline_error\` and the reason in \`error.message\`. Times without a zone are those of
\`event.timezone\`, else UTC. Where the pipeline \`enrich-addresses\` is there, too, the others end with it.

Events that come through endpoint-manager are read by [decoders](decoders.md) instead.

| pipeline | reads | data set | samples | processors |
|---|---|---|---|---|
${names.map(row).join('\n')}
`
}

function row(name: string): string {
  const { description, processors } = JSON.parse(readFileSync(`${folder}/${name}/pipeline.json`, 'utf8')) as Definition
  const samples = readFileSync(`${folder}/${name}/samples.ndjson`, 'utf8').trim().split('\n').length
  const types = [...new Set(processors.flatMap((step) => Object.keys(step)))].sort()
  const dataset = processors
    .map((step) => step['set'] as Readonly<Record<string, unknown>> | undefined)
    .find((set) => set?.['field'] === 'event.dataset')?.['value']
  const cells = [
    `\`${name}\``,
    description,
    dataset === undefined ? '' : `\`${String(dataset)}\``,
    String(samples),
    types.map((type) => `\`${type}\``).join(', '),
  ]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}
