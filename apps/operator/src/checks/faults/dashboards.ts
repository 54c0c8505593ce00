import { runStep } from '../../mending/run-step.ts'
import { endpointDashboards, filesOf, presentOf, searchDashboards } from '../../steps/dashboards.ts'
import { defineFault } from './define-fault.ts'

const folders = [
  { folder: 'search', step: searchDashboards },
  { folder: 'endpoint', step: endpointDashboards },
] as const

type Folder = (typeof folders)[number]['folder']

/** The shipped dashboards of a folder are all gone. One that a user deleted stays deleted. */
export const dashboards = defineFault<{ readonly folders: readonly Folder[] }>({
  name: 'dashboards',
  title: 'dashboards',
  async diagnose({ stack }) {
    const present = await Promise.all(folders.map(({ folder }) => presentOf(stack, filesOf(stack, folder))))
    const empty = folders.flatMap(({ folder }, at) =>
      filesOf(stack, folder).length > 0 && present[at]?.length === 0 ? [folder] : [],
    )
    const count = present.flat().filter((key) => key.startsWith('dashboard/')).length
    if (empty.length === 0) return { status: 'healthy', detail: `${count} present` }
    return {
      status: 'fault',
      problem: `none of the shipped dashboards of ${empty.join(' and ')} is there`,
      evidence: empty.flatMap((folder) =>
        filesOf(stack, folder).map((file) => `${file}: no object of it is in the dashboard`),
      ),
      meaning: 'the page Dashboards is empty, or lacks what the guide shows',
      found: { folders: empty },
    }
  },
  plan({ stack }, { folders: empty }) {
    const place = 'Management, Stack Management, Saved Objects, Import'
    return empty.flatMap((folder) => filesOf(stack, folder).map((file) => `# ${place}: ${file}`))
  },
  async repair({ stack }, { folders: empty }, progress) {
    for (const { folder, step } of folders) if (empty.includes(folder)) await runStep(step, stack, progress)
  },
})
