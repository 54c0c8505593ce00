import type { ZodRawShape } from 'zod'
import { channels } from '../../apps/alerter/src/channels/registry.ts'
import { connectionKeys, ruleShape, unsupportedKeys } from '../../apps/alerter/src/rule-files/rule-schema.ts'
import { ruleTypes } from '../../apps/alerter/src/rule-types/registry.ts'

/** docs/alerting.md: how rules are brought, told and looked after, with the options that the registries know. */
export function renderAlertingPage(): string {
  return `# Alerting

Made by \`npm run docs\`; the tables are the registries that the alerter runs by. On a server the commands take \`sudo\` and no \`./\`.

## Bring your rules

\`\`\`sh
./logstack rules import ~/rules
./logstack rules list --problems
./logstack rules test rule.yml --from -7d
\`\`\`

\`import\` takes files of ElastAlert 2 and Sigma as they are, with the files they import, and says why a file cannot run, with line and column;
\`--dry-run\` only says it. Collections of Sigma rules cover many products. Rules for log sources that this stack does not keep are left out, and counted by log
source; a mapping in \`rules/mappings\` makes them usable at the next \`import\`. The exit code is 0 when nothing else is left out, and 2 when a file or rule is broken or needs something that does not
exist, such as a channel; all others are imported all the same. Files are copied below \`rules/alerts/imported\` and \`rules/sigma/imported\` of the configuration; you may also add,
change and remove files there by hand: the alerter follows within seconds. \`test\` runs a rule over past events and shows what it would have raised;
nothing is written or sent. A file that cannot be used is left out and named; all others run.

A Sigma rule names a log source; \`rules/mappings/*.yml\` says in which indices and fields it is kept. Values for \`%placeholders%\` are in
\`rules/mappings/placeholders.yml\`.

## Get notified

\`rules/channels.yml\` holds what channels share, such as the mail server, and where alerts of Sigma rules are sent. Secrets are kept in the vault:

\`\`\`sh
./logstack vault set alerter.smtp
./logstack alerts test email
\`\`\`

The first asks for the secret (or reads it from standard input) and hands it to the running alerter; \`smtp_password: secret:alerter.smtp\` in
\`channels.yml\` stands for it. The second sends one test alert and shows the answer. A receiver that does not answer in time
is tried with one alert at a time and does not delay other receivers; alerts that wait for it say so. Failed deliveries are retried with growing pauses, even after
a restart. Every alert is stored and shown in the dashboard, whether it was delivered or not.

## When rules run

Every two seconds (\`poll_interval_ms\`) the alerter asks search once how far all indices may be read, and reads what is new in those that were written to; a rule over an index without new events
costs nothing. Rules that only count (\`use_count_query\`, \`use_terms_query\`) have what is new in all their indices counted together, as ElastAlert does, and rules that ask
about the same events share one search. Its own indices (silences, switches, rules of the dashboard, test runs) are read when they were written to.

An index may map a field by which a rule counts as \`text\`, as a client's own template says: the rule reads it from the events there. Panels cannot count by such a field; this mends the data stream:
map it as \`keyword\` in that template, \`POST /STREAM/_rollover\`, \`POST /_reindex\` the older backing index into the stream (\`"op_type": "create"\`), and delete it.

## Times

Windows (\`timeframe\`) go by the events' own times. An event of a host whose clock is ahead counts when it comes; what is older than a day when it comes
(\`catch_up_ms_max\`) is read by detections alone, not by rules. Events that came while the alerter was down are read when it is back, each once. Where
the host's clock is set back by more than five minutes, windows begin anew, and \`realert\` from then; what came while it was ahead by more
than a day, and was taken for too old, is read then. Schedules (\`limit_execution\`, \`aggregation\`) are in UTC.

## Filters

A rule's \`filter\` lists clauses of the query DSL, with or without \`query:\` around them, and KQL as \`kql: TEXT\`; an event must meet all. One of them may be a query in another language:

| filter | what it takes | not |
|---|---|---|
| \`eql: TEXT\` | an event query, \`process where process.name : "cmd*"\`, asked of the rule's \`index\` | sequences, samples, pipes |
| \`esql: TEXT\` | \`FROM … \\| WHERE …\` and other commands that keep documents, such as EVAL, KEEP, RENAME, SORT, DISSECT, GROK and MV_EXPAND; FROM says what is looked at, whatever \`index\` says | STATS, LIMIT, SAMPLE, ROW, SHOW; DROP, RENAME and EVAL of \`_id\` and \`_index\` |

What cannot be read is refused with line and column when the file is; a field that no index has is found out when the rule runs, and said as search says it. \`METADATA _id, _index\` is added where it does not stand.
Queries are asked for new events in parts of at most a page, so each event is shown once as with other filters. What ES|QL computes serves its conditions: rules are shown the events as they were written, and
\`query_key\` and other options name their fields. Rules that ask for aggregations (\`metric_aggregation\`, \`spike_aggregation\`, \`percentage_match\`) or let search count (\`use_count_query\`, \`use_terms_query\`, except in
\`new_term\`) cannot have such a query, nor can \`match_bucket_filter\`. In EQL the time of events (\`timestamp_field\`) must be a date. OpenSearch in place of search has neither language: the rule fails with what OpenSearch answers.

## Work with alerts

The dashboard's page Alerts lists them, alone or grouped by rule and key: timeline, events in Discover, acknowledge, close, and silences for the rule
or the key only. The page Rules shows each rule's state and file, a switch, an editor with a test run, and which ATT&CK techniques the running rules cover. A rule
that was written in the dashboard is kept in search. It may import and name no files, run no commands and name no secrets, as permission to write rules is
no permission on the host. Its channels take addresses and secrets from \`channels.yml\`. Where the rule names a server itself, the password, key and headers
that belong to the one of \`channels.yml\` are not sent there.

## Rule types

| type | options of its own |
|---|---|
${[...ruleTypes].map(([name, { options }]) => `| \`${name}\` | ${keys(options)} |`).join('\n')}

## Options of every rule

${keys(ruleShape)}

## Channels

| channel | options |
|---|---|
${[...channels].map(([name, { options }]) => `| \`${name}\` | ${keys(options)} |`).join('\n')}

## Taken and not used

Rules read the stack's own search, so keys that say which server ElastAlert asks, and how, have no effect; \`rules import\` names them: ${connectionKeys.map((key) => `\`${key}\``).join(', ')}.

## Refused by name

Any key that is in none of these tables is refused as unknown. These are known, and refused with the reason:

| key | why |
|---|---|
${Object.entries(unsupportedKeys)
  .map(([key, why]) => `| \`${key}\` | ${why} |`)
  .join('\n')}
`
}

function keys(shape: ZodRawShape): string {
  const names = Object.keys(shape)
  return names.length === 0 ? 'none' : names.map((name) => `\`${name}\``).join(', ')
}
