import { join, resolve } from 'node:path'
import { alertRuleSchema, alertRulesIndex, triedRuleSchema } from '@logstack/contracts'
import { AppError, errorKinds, operatorErrors } from '@logstack/errors'
import type { Command } from 'commander'
import { z } from 'zod'
import { readGivenFile } from '../places/given-file.ts'
import type { Stack } from '../stack.ts'
import { counted } from '../telling/counted.ts'
import { alerterArgv } from './alerter-program.ts'
import { type CommandContext, type RegisterCommand, stackOf } from './command.ts'
import { copyRuleFile, readRuleFolder } from './rule-folder.ts'

const checkTimeoutMs = 600_000
const rulesMax = 10_000
const spanUnitsMs = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

const checkedSchema = z.array(
  z.object({
    name: z.string(),
    kind: z.enum(['elastalert', 'sigma', 'unknown']),
    rules: z.number(),
    problems: z.array(z.string()),
    unknownSources: z.array(z.string()),
    unused: z.array(z.string()),
    uses: z.array(z.string()),
  }),
)
/** `logstack rules list|import|test`: shows how rules fare, brings rule folders in, and tries a rule on past events. */
export const registerRules: RegisterCommand = (program, context) => {
  const rules = program.command('rules').description('alert rules of ElastAlert and Sigma')
  rules
    .command('list')
    .option('--problems', 'only those that cannot run or failed')
    .description('the rules as the alerter last saw them')
    .addHelpText('after', '\nExample:\n  logstack rules list --problems')
    .action(async (options: { problems?: boolean }, command: Command) => {
      const stack = stackOf(command, context)
      for (const line of await listRules(stack, options.problems === true)) context.say(line)
      stack.clients.close()
    })
  rules
    .command('import')
    .argument('<dir>', 'a folder of rule files, or one file')
    .option('--dry-run', 'only say what can run and what cannot')
    .description('take rule files in as they are; says which cannot run here, and why')
    .addHelpText(
      'after',
      '\nExample:\n  logstack rules import ~/sigma/rules/windows\n\nEnds with 0 when all can run that this stack has the log source of, and with 2 when files or rules are broken: what can run is taken in all the same.',
    )
    .action(async (dir: string, options: { dryRun?: boolean }, command: Command) => {
      const stack = stackOf(command, context)
      const areAllUsable = await importRules(stack, resolve(dir), options.dryRun === true, context)
      stack.clients.close()
      if (!areAllUsable) process.exitCode = errorKinds[operatorErrors.rules_refused.kind].exitCode
    })
  rules
    .command('test')
    .argument('<file>', 'a rule file')
    .option('--from <time>', 'how far back, such as -7d or -12h', '-1d')
    .description('run a rule over past events and show what it would have raised; nothing is sent')
    .addHelpText('after', '\nExample:\n  logstack rules test rule.yml --from -7d')
    .action(async (file: string, options: { from: string }, command: Command) => {
      const stack = stackOf(command, context)
      await testRule(stack, file, options.from, context)
      stack.clients.close()
    })
}

async function listRules({ clients }: Stack, onlyProblems: boolean): Promise<string[]> {
  const { body } = await clients.search().request<{ hits: { hits: { _source: unknown }[] } }>({
    method: 'POST',
    path: `/${alertRulesIndex.name}/_search`,
    query: { ignore_unavailable: true },
    body: {
      size: rulesMax,
      _source: { excludes: ['text'] },
      query: { bool: { must_not: [{ term: { state: 'gone' } }] } },
    },
  })
  const rules = body.hits.hits.map(({ _source: source }) => alertRuleSchema.parse(source))
  const shown = rules.filter(({ state, error }) => !onlyProblems || state === 'broken' || error !== null)
  const lines = shown
    .sort((left, right) => left.name.localeCompare(right.name))
    .map(({ name, state, type, matches, file, error }) => {
      const place = error?.line === undefined ? file : `${file}:${error.line}:${error.column}`
      return `${state.padEnd(8)} ${type} ${name}: ${counted(matches ?? 0, 'alert')}${error ? `\n  ${place}: ${error.message}` : ''}`
    })
  return [...lines, `${shown.length} of ${rules.length} rules`]
}

/** Takes in what can run, unless only asked what can; answers whether that is all of it. */
async function importRules(stack: Stack, from: string, isDry: boolean, context: CommandContext): Promise<boolean> {
  const { base, files, others, tooLarge } = readRuleFolder(from)
  for (const name of tooLarge) context.say(`not usable: ${name}: larger than 256 KiB`)
  // All at once, as correlations of Sigma name rules of other files.
  const checked = checkedSchema.parse(JSON.parse(await askAlerter(stack, 'check-rules', { files, others })))
  for (const { name, problems } of checked)
    for (const problem of problems) context.say(`not usable: ${name}: ${problem}`)
  for (const { name, rules, unused } of checked) {
    if (rules > 0 && unused.length > 0)
      context.say(`not used: ${name}: ${unused.join(', ')}: rules read the stack's own search`)
  }
  const usable = checked.filter(({ rules }) => rules > 0)
  const count = usable.reduce((sum, { rules }) => sum + rules, 0)
  if (!isDry) {
    for (const { name, kind, uses } of usable) {
      const to = join(stack.paths.rulesDir, kind === 'sigma' ? 'sigma' : 'alerts', 'imported')
      for (const copied of [...uses, name]) copyRuleFile(base, copied, to)
    }
  }
  const elsewhere = checked.filter(isElsewhere)
  for (const line of renderSources(checked)) context.say(line)
  const refused = checked.length - usable.length - elsewhere.length + tooLarge.length
  const taken = `${counted(usable.length, 'file')} with ${counted(count, 'rule')}`
  const left = elsewhere.length === 0 ? '' : `, ${elsewhere.length} for other log sources`
  context.say(`${taken} ${isDry ? 'can be taken in' : 'taken in'}${left}, ${refused} not usable`)
  if (!isDry && usable.length > 0)
    context.say(`they are in ${stack.paths.rulesDir}; the alerter runs them within seconds`)
  return refused === 0 && checked.every(({ problems }) => problems.length === 0)
}

type Checked = z.output<typeof checkedSchema>[number]

/** Whether nothing of a file can run, only for want of its log sources. */
function isElsewhere({ rules, problems, unknownSources }: Checked): boolean {
  return rules === 0 && problems.length === 0 && unknownSources.length > 0
}

/**
 * The log sources that this stack has no mapping for, with how many rules of each, most first. A collection has rules for every product there is: a
 * line for each of them would hide what is broken.
 */
export function renderSources(files: readonly Pick<Checked, 'unknownSources'>[]): string[] {
  const counts = new Map<string, number>()
  for (const source of files.flatMap(({ unknownSources }) => unknownSources))
    counts.set(source, (counts.get(source) ?? 0) + 1)
  return [...counts]
    .sort(([left, some], [right, others]) => others - some || left.localeCompare(right))
    .map(([source, count]) => `no such log source here: ${source}: ${counted(count, 'rule')}`)
}

async function testRule(stack: Stack, file: string, from: string, context: CommandContext): Promise<void> {
  const now = Date.now()
  const text = readGivenFile(file, { named: 'rules test', holds: 'a rule of ElastAlert or Sigma' })
  const input = { text, from: now - spanMs(from), to: now }
  const tried = triedRuleSchema.parse(JSON.parse(await askAlerter(stack, 'try-rule', input)))
  if ('problem' in tried) {
    const { line, column, message } = tried.problem
    const fix = `mend ${file} and try again`
    throw new AppError(operatorErrors.rules_refused, `${file}:${line}:${column}: ${message}`, { fix })
  }
  for (const { time, rule, what } of tried.shown) context.say(`${time} ${rule}: ${what}`)
  if (tried.shown.length < tried.alerts) context.say(`… and ${tried.alerts - tried.shown.length} more`)
  if (tried.cutAt) context.say(`the time was over at the events of ${tried.cutAt}; name a shorter time with --from`)
  const looked = tried.events === 1 ? '1 event or window' : `${tried.events} events or windows`
  context.say(`${counted(tried.alerts, 'alert')} would have been raised; looked at ${looked}`)
}

async function askAlerter(stack: Stack, command: 'check-rules' | 'try-rule', input: unknown): Promise<string> {
  const argv = alerterArgv(stack, command)
  const { stdout } = await stack.runtime.exec('alerter', argv, {
    timeoutMs: checkTimeoutMs,
    input: JSON.stringify(input),
  })
  return stdout
}

function spanMs(text: string): number {
  const parts = /^-?(\d+)([mhdw])$/u.exec(text)
  const unit = spanUnitsMs[(parts?.[2] ?? 'd') as keyof typeof spanUnitsMs]
  if (parts) return Number(parts[1]) * unit
  throw new AppError(operatorErrors.rules_refused, `[${text}] is no time to go back`, {
    fix: 'write -30m, -12h, -7d or -4w',
  })
}
