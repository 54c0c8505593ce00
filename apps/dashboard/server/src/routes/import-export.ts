import type { SavedObject } from '@logstack/contracts'
import { AppError, dashboardErrors } from '@logstack/errors'
import { z } from 'zod'
import { type Call, checked, defineRoutes, readBody } from '../route.ts'
import { exportObjects } from '../saved-objects/export.ts'
import { type ImportRetry, importObjects } from '../saved-objects/import.ts'
import { type Form, parseForm } from '../saved-objects/multipart.ts'
import { parseExportFile } from '../saved-objects/parse-file.ts'
import type { Services } from '../services.ts'
import { requireEditor } from './saved-objects.ts'

const flag = z
  .enum(['true', 'false', ''])
  .default('false')
  .transform((value) => value !== 'false')
const importSchema = z.looseObject({ overwrite: flag, createNewCopies: flag })
const retriesSchema: z.ZodType<ImportRetry[]> = z.array(
  z.object({
    type: z.string(),
    id: z.string(),
    overwrite: z.boolean().optional(),
    destinationId: z.string().optional(),
    ignoreMissingReferences: z.boolean().optional(),
    replaceReferences: z.array(z.object({ type: z.string(), from: z.string(), to: z.string() })).optional(),
  }),
)
const exportSchema = z.object({
  objects: z.array(z.object({ type: z.string(), id: z.string() })).optional(),
  type: z.union([z.string().transform((type) => [type]), z.array(z.string())]).optional(),
  includeReferencesDeep: z.boolean().default(false),
  excludeExportDetails: z.boolean().default(false),
})

/** Kibana's import and export of saved objects. */
export const importExportRoutes = defineRoutes(
  {
    method: 'POST',
    path: '/api/saved_objects/_import',
    access: 'authenticated',
    bodyBytesMax: 'import',
    async handle(call, services) {
      await requireEditor(call, services)
      const { overwrite, createNewCopies } = checked(call.query, importSchema, 'query')
      if (overwrite && createNewCopies) {
        throw new AppError(dashboardErrors.request_invalid, 'cannot use [overwrite] with [createNewCopies]')
      }
      const objects = fileOf(await parseForm(call.body, call.headers['content-type']), services)
      return { json: await importObjects(objects, { overwrite, createNewCopies }, services.savedObjects) }
    },
  },
  {
    method: 'POST',
    path: '/api/saved_objects/_resolve_import_errors',
    access: 'authenticated',
    bodyBytesMax: 'import',
    async handle(call, services) {
      await requireEditor(call, services)
      const { createNewCopies } = checked(call.query, importSchema, 'query')
      const form = await parseForm(call.body, call.headers['content-type'])
      const retries = retriesOf(form)
      const options = { overwrite: false, createNewCopies, retries }
      return { json: await importObjects(fileOf(form, services), options, services.savedObjects) }
    },
  },
  {
    method: 'POST',
    path: '/api/saved_objects/_export',
    access: 'authenticated',
    handle: exportRoute,
  },
)

async function exportRoute(
  call: Call,
  services: Services,
): Promise<{ bytes: string; headers: Record<string, string> }> {
  const { type, ...request } = readBody(call, exportSchema)
  if (!type && !request.objects) {
    throw new AppError(dashboardErrors.request_invalid, 'Either `type` or `objects` are required.')
  }
  const types = type?.includes('*') ? undefined : type
  const objectsMax = services.settings.get('import.objects_max')
  return {
    bytes: await exportObjects({ ...request, types, objectsMax }, services.savedObjects),
    headers: { 'content-type': 'application/ndjson', 'content-disposition': 'attachment; filename="export.ndjson"' },
  }
}

function fileOf(form: Form, services: Services): SavedObject[] {
  const file = form.files.get('file')
  const text = file?.content.toString('utf8') ?? form.fields.get('file')
  if (text === undefined) throw new AppError(dashboardErrors.request_invalid, '[request body.file]: expected a file')
  return parseExportFile(text, services.settings.get('import.objects_max'))
}

function retriesOf(form: Form): ImportRetry[] {
  try {
    return checked(JSON.parse(form.fields.get('retries') ?? '[]'), retriesSchema, 'body')
  } catch (cause) {
    throw new AppError(dashboardErrors.request_invalid, '[request body.retries]: expected a JSON array', { cause })
  }
}
