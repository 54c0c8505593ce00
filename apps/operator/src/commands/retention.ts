import type { Command } from 'commander'
import { clockWords } from '../evidence/clock-words.ts'
import { sizeWords } from '../evidence/file-systems.ts'
import type { PurgeAnswer } from '../evidence/purge-choices.ts'
import type { Stack } from '../stack.ts'
import { counted } from '../telling/counted.ts'
import { type CommandContext, type RegisterCommand, withStack } from './command.ts'

// Rewriting the parts of a large index takes its time.
const purgeLimitMs = 900_000

/** What search answers to `GET /_logstack/retention`. */
interface RetentionAnswer {
  readonly retention: {
    readonly max_age: string
    readonly patterns: Readonly<Record<string, string>>
    readonly max_disk_share: string
    readonly keep_at_least: string
  }
  readonly disk: {
    readonly total_in_bytes: number
    readonly free_in_bytes: number
    readonly data_in_bytes: number
    readonly data_may_take_in_bytes: number
    readonly to_free_in_bytes: number
  }
  /** While the clock of the host is doubted: how far it leapt, and until when nothing goes by its age. */
  readonly clock_leap?: { readonly offset_in_millis: number; readonly until: string }
}

interface SetOptions {
  readonly maxAge?: string
  readonly index?: string
  readonly diskShare?: string
  readonly keepAtLeast?: string
}

/** `logstack retention show|set|purge`: how long events are kept. Asks search alone, so it works while the dashboard is down and the disk is full. */
export const registerRetention: RegisterCommand = (program, context) => {
  const retention = program.command('retention').description('how long events are kept, and deleting old ones')
  retention
    .command('show')
    .description('show how long events are kept, and the space they take')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExample:\n  logstack retention show')
    .action((options: { json?: boolean }, command: Command) =>
      withStack(command, context, (stack) => show(stack, options.json === true, context)),
    )
  retention
    .command('set')
    .description('set how long events are kept, and how much of the disk they may take')
    .option('--max-age <age>', 'how old events become: 30d, 12h, never')
    .option('--index <pattern>', 'the age is for indices and data streams of this name; "default" as age takes it back')
    .option('--disk-share <percent>', 'the most that events may take of the disk, the oldest go first: 80%')
    .option('--keep-at-least <age>', 'what is younger is never deleted to make room: 1d')
    .addHelpText(
      'after',
      "\nExamples:\n  logstack retention set --max-age 30d\n  logstack retention set --max-age 365d --index 'logs-audit-*'\n  logstack retention set --disk-share 70%",
    )
    .action((options: SetOptions, command: Command) => {
      const body = changeOf(options)
      if (Object.keys(body).length === 0) command.error('nothing to set', { exitCode: 2 })
      return withStack(command, context, async (stack) => {
        await stack.clients.search().request({ method: 'PUT', path: '/_logstack/retention', body })
        await show(stack, false, context)
      })
    })
  retention
    .command('purge')
    .description('delete events that are older than an age, now')
    .requiredOption('--older-than <age>', 'the age: 30d, 12h')
    .option('--index <pattern>', 'only of indices and data streams of this name')
    .option('--dry-run', 'only say what would be deleted')
    .addHelpText(
      'after',
      '\nExamples:\n  logstack retention purge --older-than 30d --dry-run\n  logstack retention purge --older-than 30d',
    )
    .action((options: PurgeOptions, command: Command) =>
      withStack(command, context, (stack) => purge(stack, options, context)),
    )
}

interface PurgeOptions {
  readonly olderThan: string
  readonly index?: string
  readonly dryRun?: boolean
}

/** The change that options ask search for. */
export function changeOf({ maxAge, index, diskShare, keepAtLeast }: SetOptions): Record<string, unknown> {
  const age = maxAge === 'default' && index !== undefined ? null : maxAge
  return {
    ...(maxAge === undefined ? {} : index === undefined ? { max_age: age } : { patterns: { [index]: age } }),
    ...(diskShare === undefined ? {} : { max_disk_share: diskShare }),
    ...(keepAtLeast === undefined ? {} : { keep_at_least: keepAtLeast }),
  }
}

async function show(stack: Stack, asJson: boolean, context: CommandContext): Promise<void> {
  const { body } = await stack.clients
    .search()
    .request<RetentionAnswer>({ method: 'GET', path: '/_logstack/retention' })
  if (asJson) context.say(JSON.stringify(body, null, 2))
  else for (const line of renderRetention(body)) context.say(line)
}

/** What `show` prints. */
export function renderRetention({ retention, disk, clock_leap: leap }: RetentionAnswer): string[] {
  const row = (what: string, value: string): string => `${what.padEnd(24)} ${value}`
  const kept = (age: string): string => (age === 'never' ? 'for ever' : age)
  const excess =
    disk.to_free_in_bytes === 0 ? '' : `: ${sizeWords(disk.to_free_in_bytes)} too much, the oldest go first`
  return [
    row('events are kept', kept(retention.max_age)),
    ...Object.entries(retention.patterns).map(([pattern, age]) => row(`  ${pattern}`, kept(age))),
    row('share of the disk', `${retention.max_disk_share} (${sizeWords(disk.data_may_take_in_bytes)})`),
    row('kept in any case', retention.keep_at_least),
    row('events take', `${sizeWords(disk.data_in_bytes)}${excess}`),
    row('free on the disk', `${sizeWords(disk.free_in_bytes)} of ${sizeWords(disk.total_in_bytes)}`),
    ...(leap
      ? [row('the clock leapt', `${clockWords(leap.offset_in_millis)}: by age nothing goes until ${leap.until}`)]
      : []),
  ]
}

async function purge(
  stack: Stack,
  { olderThan, index, dryRun = false }: PurgeOptions,
  context: CommandContext,
): Promise<void> {
  const { body } = await stack.clients.search().request<PurgeAnswer>({
    method: 'POST',
    path: '/_logstack/retention/_purge',
    query: { older_than: olderThan, index, dry_run: dryRun },
    timeoutMs: purgeLimitMs,
  })
  for (const line of renderPurge(body, { olderThan, dryRun })) context.say(line)
}

/** What `purge` prints: a line for each index, and the sum. */
export function renderPurge(
  { indices, events }: PurgeAnswer,
  { olderThan, dryRun }: { olderThan: string; dryRun: boolean },
): string[] {
  const count = (number: number): string => counted(number, 'event')
  const documents = [...indices, ...events].reduce((sum, one) => sum + one.documents, 0)
  const bytes = indices.reduce((sum, one) => sum + one.bytes, 0)
  if (indices.length + events.length === 0) return [`no event is older than ${olderThan}`]
  return [
    ...indices.map((one) => `${one.index}: the index, ${count(one.documents)}, ${sizeWords(one.bytes)}`),
    ...events.map((one) => `${one.index}: ${count(one.documents)} before ${one.before}`),
    `${dryRun ? 'would delete' : 'deleted'} ${count(documents)}, ${indices.length} whole ind${indices.length === 1 ? 'ex' : 'ices'} of ${sizeWords(bytes)}`,
  ]
}
