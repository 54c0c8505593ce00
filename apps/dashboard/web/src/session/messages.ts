/** All words of the login page. */
export const messages = {
  title: 'Log in to logstack',
  subtitle: 'Use the name and password of the stack.',
  username: 'User name',
  password: 'Password',
  submit: 'Log in',
  hint: 'Shown on the server by',
  hintCommand: './logstack password show',
} as const
