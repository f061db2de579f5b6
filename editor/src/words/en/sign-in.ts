/** The form *Sign in*. */
export const signIn = {
  title: 'Sign in',
  name: 'User name or e-mail',
  password: 'Password',
  show: 'Show password',
  hide: 'Hide password',
  submit: 'Sign in',
  signingIn: 'Signing in…',
  wrong: 'User name or password is not right.',
  nameMissing: 'Type your user name or e-mail.',
  passwordMissing: 'Type your password.',
  tooOften: (time: string) => `Too many tries. Again in ${time}.`,
  guest: 'Your account may read the site, not edit it.',
  again: 'Sign in again to go on. Nothing is lost.',
  otherUser: 'Somebody else is signed in now. Sign in as before to save what you wrote.',
}
