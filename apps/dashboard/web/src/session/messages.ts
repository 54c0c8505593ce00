/** All words of the login page. */
export const messages = {
  title: 'Log in to logstack',
  subtitle: 'Use the name and password of the stack.',
  username: 'User name',
  password: 'Password',
  showPassword: 'Show the password',
  submit: 'Log in',
  hint: 'Shown on the server by',
  hintCommand: './logstack password show',
  endedTitle: 'Your session has ended',
  endedText: (username: string) =>
    `Log in again as ${username} and the page goes on where it was. Another user begins anew, without what was typed.`,
  anotherUser: 'Another user has logged in.',
  loggedOut: 'Nobody is logged in.',
} as const
