import { AppError, searchErrors } from '@logstack/errors'
import { bcryptCost, isBcryptHash } from '@logstack/passwords'
import { isObject } from '../../json/json-object.ts'
import { jsonToken } from '../../json/json-token.ts'
import { validationError } from '../../refusals/validation-error.ts'
import { parseFault, readTexts } from '../../security/body-fields.ts'
import type { UserChange } from '../../security/security.ts'

type Body = Readonly<Record<string, unknown>>

const namePattern = /^[\x21-\x7e](?:[\x20-\x7e]{0,505}[\x21-\x7e])?$/u

function nameFault(what: string, lengthMax = 507): string {
  return `${what} names must be at least 1 and no more than ${lengthMax} characters. They can contain alphanumeric characters (a-z, A-Z, 0-9), spaces, punctuation, and printable symbols in the Basic Latin (ASCII) block. Leading or trailing whitespace is not allowed.`
}

function requireType(body: Body, name: string, type: 'string' | 'boolean' | 'object', mayBeNull = false): void {
  const value = body[name]
  const isRight = type === 'object' ? isObject(value) : typeof value === type
  if (value === undefined || isRight || (mayBeNull && value === null)) return
  throw parseFault(`expected field [${name}] to be of type ${type}, but found [${jsonToken(value)}] instead`)
}

/** A list of names, or one text with commas between them. */
function readNames(given: unknown): string[] {
  return typeof given === 'string' ? given.split(',').map((name) => name.trim()) : readTexts('roles', given)
}

/** Throws for what cannot be the name of a user, or is that of one nobody logs in as. */
export function checkUsername(username: string): void {
  if (username === '_anonymous')
    throw validationError(`user [${username}] is anonymous and cannot be modified via the API`)
  if (!namePattern.test(username)) throw validationError(nameFault('User'))
}

/** Throws for what cannot be the name of a role. */
export function checkRoleName(name: string): void {
  if (namePattern.test(name)) return
  // Which characters there are is looked at where names may be longer.
  if (namePattern.test(name.slice(0, 507).trim()) && name.length > 507 && name.length <= 1024)
    throw validationError(nameFault('Role'))
  throw invalidValue(nameFault('Role', 1024))
}

const userKeys = new Set([
  ...['username', 'password', 'password_hash', 'roles', 'full_name', 'email', 'metadata', 'enabled'],
])

/** A user as a request describes it: whole but for the password, so what is not said is not kept. */
export function readUser(username: string, body: Body): UserChange {
  const unknown = Object.keys(body).find((key) => !userKeys.has(key))
  if (unknown !== undefined) throw parseFault(`failed to parse add user request. unexpected field [${unknown}]`)
  requireType(body, 'username', 'string')
  requireType(body, 'full_name', 'string', true)
  requireType(body, 'email', 'string', true)
  requireType(body, 'metadata', 'object')
  requireType(body, 'enabled', 'boolean')
  const { username: said = username, roles, full_name: fullName, email, metadata = {}, enabled = true } = body
  if (said !== username)
    throw new AppError(
      searchErrors.illegal_argument_exception,
      `[username] in source does not match the username provided [${username}]`,
    )
  const password = readPassword(body)
  const named = roles === undefined ? undefined : readNames(roles)
  const faults = [
    ...(named === undefined ? ['roles are missing'] : []),
    ...(named ?? []).flatMap((name) => (namePattern.test(name) ? [] : [nameFault('Role')])),
    ...(Object.keys(metadata as Body).some((key) => key.startsWith('_'))
      ? ['metadata keys may not start with [_]']
      : []),
  ]
  if (faults.length > 0) throw validationError(...faults)
  return {
    ...password,
    roles: named ?? [],
    fullName: typeof fullName === 'string' ? fullName : undefined,
    email: typeof email === 'string' ? email : undefined,
    metadata: metadata as Body,
    enabled: enabled === true,
  }
}

/** The body of a change of a password. Throws when it says nothing, or something else. */
export function readPasswordChange(body: Body): Pick<UserChange, 'password' | 'passwordHash'> {
  const unknown = Object.keys(body).find((key) => key !== 'password' && key !== 'password_hash')
  if (unknown !== undefined) throw parseFault(`failed to parse change password request. unexpected field [${unknown}]`)
  const change = readPassword(body)
  if (Object.keys(change).length === 0) throw validationError('password is missing')
  return change
}

/** The password of a body, or a hash of one. Throws for a hash of another kind than bcrypt's. */
function readPassword(body: Body): Pick<UserChange, 'password' | 'passwordHash'> {
  requireType(body, 'password', 'string')
  requireType(body, 'password_hash', 'string')
  const { password, password_hash: hash } = body
  if (typeof hash !== 'string') return typeof password === 'string' ? { password } : {}
  if (password !== undefined) throw invalidValue('password_hash has already been set')
  if (isBcryptHash(hash)) return { passwordHash: hash }
  throw new AppError(
    searchErrors.illegal_argument_exception,
    `The provided password hash is not a hash or it could not be resolved to a supported hash algorithm. The supported password hash algorithms are [bcrypt] with a cost of ${bcryptCost.least} to ${bcryptCost.most}`,
  )
}

/** What is refused for its value, in contrast to what is missing. */
export function invalidValue(reason: string): AppError {
  return new AppError(searchErrors.validation_exception, `Validation Failed: 1: ${reason};`)
}

/** The error of a request that says nothing. */
export function bodyRequired(): AppError {
  return parseFault('request body is required')
}
