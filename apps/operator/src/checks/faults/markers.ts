import { lstatSync, mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { isAppError } from '@logstack/errors'
import { type DoctorContext, defineFault } from '../../doctor/define-fault.ts'
import { shippedLook } from '../../evidence/shipped-look.ts'
import type { MarkerName } from '../../places/paths.ts'
import type { Stack } from '../../stack.ts'
import { agentServerSetup, agentServerUrl } from '../../steps/agent-server-setup.ts'
import { endpointDashboards, searchDashboards } from '../../steps/dashboards.ts'
import type { Step } from '../../steps/define-step.ts'
import { markerProblem, writeMarker } from '../../steps/marker.ts'
import { unproven } from '../../telling/unproven.ts'

interface WrongMarker {
  readonly name: MarkerName
  readonly path: string
  readonly problem: string
}

/** What each marker says is done, and the step that does it. */
const marked: Readonly<
  Record<MarkerName, { readonly what: string; readonly step: Step; isDone(context: DoctorContext): Promise<boolean> }>
> = {
  'agent-server': {
    what: 'the set-up of agent-server',
    step: agentServerSetup,
    isDone: async ({ stack }) => (await agentServerUrl(stack)) !== undefined,
  },
  'search-dashboards': {
    what: 'the dashboards of search',
    step: searchDashboards,
    isDone: async (context) => (await shippedLook(context, 'search')).missing.length === 0,
  },
  'endpoint-dashboards': {
    what: 'the dashboards of endpoint-manager',
    step: endpointDashboards,
    isDone: async (context) => (await shippedLook(context, 'endpoint')).missing.length === 0,
  },
}
const names = Object.keys(marked) as MarkerName[]

/** A marker file is missing, is not the empty file it must be, or says that something is done which is not. */
export const markers = defineFault<readonly WrongMarker[]>({
  name: 'markers',
  title: 'marker files',
  explainedBy: ['mounts', 'dashboards', 'agent-server-url'],
  async diagnose(context) {
    const looked = await Promise.all(names.map((name) => lookAt(context, name)))
    const wrong = looked.filter((one) => one !== undefined)
    if (wrong.length === 0) return { status: 'healthy', detail: `${names.length} present` }
    return {
      status: 'fault',
      problem: wrong.map(({ path, problem }) => `${path} ${problem}`).join('; '),
      evidence: wrong.map(({ name, path }) => `${path} stands for ${marked[name].what}`),
      meaning: 'by these files the installation counts as failed, for people and for scripts',
      found: wrong,
    }
  },
  plan: ({ stack }, wrong) =>
    wrong.flatMap(({ name, path }) => [
      `# read back ${marked[name].what}, and do it again if it is not there: ./logstack down && ./logstack up`,
      `install ${stack.paths.root === '' ? '--owner=root --group=root ' : ''}--mode=644 /dev/null '${path}'`,
    ]),
  async repair(context, wrong, progress) {
    const { stack } = context
    for (const { name, path } of wrong) {
      const { step, isDone } = marked[name]
      rmSync(path, { recursive: true, force: true })
      mkdirSync(dirname(path), { recursive: true })
      if (!(await isDone(context))) {
        await step.apply(stack, progress)
        await step.prove(stack)
        step.mark?.(stack)
      }
      writeMarker(path)
    }
  },
  async prove(context) {
    for (const name of names) {
      const left = await lookAt(context, name)
      if (left) throw unproven(`${left.path} ${left.problem}`)
    }
    return `${names.length} present, each after what it marks was read back`
  },
})

async function lookAt(context: DoctorContext, name: MarkerName): Promise<WrongMarker | undefined> {
  const { stack } = context
  const path = stack.paths.markers[name]
  const problem = markerProblem(path) ?? ownerProblem(path, stack) ?? (await falseMarker(context, name))
  return problem === undefined ? undefined : { name, path, problem }
}

function ownerProblem(path: string, stack: Stack): string | undefined {
  const { uid } = lstatSync(path)
  return stack.paths.root === '' && uid !== 0 ? `belongs to user ${uid} instead of root` : undefined
}

// A part that does not answer says nothing about its marker: that is another fault.
async function falseMarker(context: DoctorContext, name: MarkerName): Promise<string | undefined> {
  try {
    return (await marked[name].isDone(context)) ? undefined : `is there, but ${marked[name].what} is not`
  } catch (thrown) {
    if (isAppError(thrown)) return undefined
    throw thrown
  }
}
