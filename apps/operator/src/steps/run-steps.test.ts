import type { PartName } from '@logstack/contracts'
import { AppError, operatorErrors } from '@logstack/errors'
import { expect, test } from 'vitest'
import type { Stack } from '../stack.ts'
import { defineStep, findingOf, type Step } from './define-step.ts'
import { runSteps, type StepReporter } from './run-steps.ts'

/** Runs steps over no stack; answers what was told of each, and what was thrown. */
async function told(steps: readonly Step[]): Promise<{ lines: string[]; thrown: unknown }> {
  const lines: string[] = []
  const reporter: StepReporter = {
    begin: () => ({ waiting: () => undefined }),
    end: ({ name }) => lines.push(`${name} done`),
    failed: ({ name }) => lines.push(`${name} failed`),
    leftOut: ({ name }, lack) => lines.push(`${name} left out: ${lack}`),
    plan: () => undefined,
  }
  const thrown: unknown = await runSteps(steps, {} as Stack, { reporter }).catch((error: unknown) => error)
  return { lines, thrown }
}

function step(name: string, needs?: readonly PartName[], error?: AppError): Step {
  const title = name
  return defineStep({
    ...{ name, title, ...(needs ? { needs } : {}) },
    diagnose: async () => findingOf([name]),
    apply: async () => {
      if (error) throw error
    },
    prove: async () => undefined,
  })
}

const failureOf = (...parts: PartName[]) =>
  new AppError(operatorErrors.part_failed, `${parts.join(', ')} failed`, { detail: { parts }, fix: 'mend it' })

test('a part that does not start ends only the steps that need it, also by way of another part', async () => {
  const { lines, thrown } = await told([
    step('start-middle', ['dashboard', 'alerter'], failureOf('dashboard')),
    step('patterns', ['dashboard']),
    step('rules', ['alerter']),
    step('start-agent-server', ['agent-server']),
    step('all of it'),
    step('accounts', ['search'], failureOf('alerter')),
    step('rules again', ['alerter']),
    step('roles', ['search']),
  ])
  expect(lines).toEqual([
    'start-middle failed',
    'patterns left out: dashboard',
    'rules done',
    'start-agent-server left out: dashboard',
    'all of it left out: dashboard',
    'accounts failed',
    'rules again left out: alerter',
    'roles done',
  ])
  expect(thrown).toMatchObject({ code: 'part_failed', message: 'dashboard failed; alerter failed' })
})

test('nothing is told of steps that follow when none of them can be done', async () => {
  const failure = failureOf('search')
  const { lines, thrown } = await told([step('start-search', ['search'], failure), step('patterns', ['dashboard'])])
  expect(lines).toEqual(['start-search failed'])
  expect(thrown).toBe(failure)
})

test('every other error ends the run', async () => {
  const failure = new AppError(operatorErrors.part_failed, 'the supervisor does not start', { fix: 'read its log' })
  const { lines, thrown } = await told([step('start-supervisor', [], failure), step('start-search', ['search'])])
  expect(lines).toEqual(['start-supervisor failed'])
  expect(thrown).toBe(failure)
})
