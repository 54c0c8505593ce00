import { Busboy } from '@fastify/busboy'
import { AppError, dashboardErrors } from '@logstack/errors'

/** The parts of a form: text fields and uploaded files by field name. */
export interface Form {
  readonly fields: ReadonlyMap<string, string>
  readonly files: ReadonlyMap<string, { readonly name: string; readonly content: Buffer }>
}

// A field as large as the choices for ten thousand objects of long ids.
const limits = { fields: 10, files: 2, parts: 12, fieldSize: 16_777_216, headerPairs: 50 }

/** Reads a `multipart/form-data` body (RFC 7578). Throws `request_invalid` for other or broken bodies. */
export function parseForm(body: Buffer, contentType: string | undefined): Promise<Form> {
  return new Promise((resolve, reject) => {
    const fields = new Map<string, string>()
    const files = new Map<string, { name: string; content: Buffer }>()
    const fail = (cause: unknown): void =>
      reject(new AppError(dashboardErrors.request_invalid, 'expected a multipart form with a field [file]', { cause }))
    try {
      const form = Busboy({
        headers: { 'content-type': contentType ?? '' },
        limits,
        // Some clients send the file without a file name; its field name still says what it is.
        isPartAFile: (fieldName, _contentType, fileName) => fieldName === 'file' || fileName !== undefined,
      })
      form.on('field', (name, value) => fields.set(name, value))
      form.on('file', (field, stream, name) => {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', () => files.set(field, { name, content: Buffer.concat(chunks) }))
      })
      form.on('error', fail)
      form.on('finish', () => resolve({ fields, files }))
      form.end(body)
    } catch (thrown) {
      fail(thrown)
    }
  })
}
