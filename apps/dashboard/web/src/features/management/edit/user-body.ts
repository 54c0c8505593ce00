/** A user as the form holds it. */
export interface UserForm {
  readonly username: string
  readonly fullName: string
  readonly email: string
  readonly roles: readonly string[]
  readonly enabled: boolean
  readonly password: string
  readonly repeated: string
}

type Body = Readonly<Record<string, unknown>>

/** The form of a user as search shows it; of a new one without a body. */
export function userForm(username: string, body: Body = {}): UserForm {
  return {
    username,
    fullName: String(body['full_name'] ?? ''),
    email: String(body['email'] ?? ''),
    roles: Array.isArray(body['roles']) ? body['roles'].map(String) : [],
    enabled: body['enabled'] !== false,
    password: '',
    repeated: '',
  }
}

/** What keeps a user from being saved, by field. */
export function userProblems(form: UserForm, isNew: boolean): Readonly<Record<string, string>> {
  return {
    ...(form.username === '' ? { username: 'Say a name.' } : {}),
    ...(isNew && form.password === '' ? { password: 'A new user needs a password.' } : {}),
    ...(form.password === form.repeated ? {} : { repeated: 'The passwords differ.' }),
  }
}

/** The body that stores the user, with the metadata it had; the password of a new one is in it. */
export function userBody(form: UserForm, before: Body | undefined): Body {
  return {
    roles: form.roles,
    full_name: form.fullName,
    email: form.email,
    enabled: form.enabled,
    metadata: before?.['metadata'] ?? {},
    ...(before ? {} : { password: form.password }),
  }
}
