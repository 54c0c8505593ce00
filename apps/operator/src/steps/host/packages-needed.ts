import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const manifestSchema = z.object({
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
})

/** The named packages and all that they depend on, as far as they are installed in `nodeModules`; sorted. */
export function packagesNeeded(nodeModules: string, names: readonly string[]): string[] {
  const found = new Set<string>()
  const queue = [...names]
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    const manifest = join(nodeModules, name, 'package.json')
    // An optional package of another platform is not installed; a nested one comes with the package that holds it.
    if (found.has(name) || !existsSync(manifest)) continue
    found.add(name)
    const { dependencies, optionalDependencies } = manifestSchema.parse(JSON.parse(readFileSync(manifest, 'utf8')))
    queue.push(...Object.keys(dependencies), ...Object.keys(optionalDependencies))
  }
  return [...found].sort()
}
