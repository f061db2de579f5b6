import { defineCommand } from 'citty'
import type { Context } from '../engine/context.ts'
import { ROLES } from '../model/terms/roles.ts'
import { command } from './command/command.ts'
import { optionsOfStored } from './command/lost-database.ts'
import { readPassword } from './command/secret-input.ts'
import { siteOption } from './command/site-module.ts'

const who = { type: 'positional', required: true, description: 'The user name or e-mail address' } as const

const create = command({
  meta: {
    name: 'create',
    description: 'Create a user; the password is asked for, piped in, or taken from QUIRE_USER_PASSWORD',
  },
  args: {
    username: { type: 'positional', required: true, description: 'The name to sign in with' },
    role: { type: 'enum', options: [...ROLES], required: true, description: 'What the user may do' },
    email: { type: 'string', description: 'Can also be used to sign in' },
    'first-name': { type: 'string', description: 'Shown with what the user writes' },
    'last-name': { type: 'string', description: 'Shown with what the user writes' },
    ...siteOption,
  },
  async run({ args }) {
    const { username, role, email } = args
    const { withApp, createUser } = await engine()
    const user = { username, role, email, firstName: args['first-name'], lastName: args['last-name'] }
    await withApp(args.site, async (ctx) => createUser(ctx, { ...user, password: await readPassword(process.env) }))
    console.log(`${username} can sign in now, as ${role}.`)
  },
})

const list = command({
  meta: { name: 'list', description: 'List all users' },
  args: siteOption,
  async run({ args }) {
    const { withApp, allUsers } = await engine()
    const users = await withApp(args.site, allUsers, optionsOfStored)
    if (users.length === 0) console.log('There are no users. Create one with: quire user create ann --role editor')
    for (const { username, role, isActive, email, title } of users) {
      console.log([username.padEnd(20), role.padEnd(11), isActive ? '        ' : 'disabled', title, email].join('  '))
    }
  },
})

const password = command({
  meta: { name: 'password', description: 'Set a user’s password, and revoke all their sessions, tokens and keys' },
  args: { name: who, ...siteOption },
  async run({ args }) {
    const { withApp, changeUser, userNamed } = await engine()
    const change = async (ctx: Context) => {
      await userNamed(ctx, args.name)
      await changeUser(ctx, args.name, { password: await readPassword(process.env) })
    }
    await withApp(args.site, change, optionsOfStored)
    console.log(`${args.name} has a new password and is signed out everywhere.`)
  },
})

const disable = command({
  meta: { name: 'disable', description: 'Disable a user, and sign them out everywhere' },
  args: { name: who, ...siteOption },
  async run({ args }) {
    const { withApp, changeUser } = await engine()
    await withApp(args.site, (ctx) => changeUser(ctx, args.name, { disabled: true }), optionsOfStored)
    console.log(`${args.name} can no longer sign in, and is signed out everywhere.`)
  },
})

async function engine() {
  const [operator, users] = await Promise.all([import('./command/operator.ts'), import('./accounts/users.ts')])
  return { ...operator, ...users }
}

/** `quire user create|list|password|disable`: the users who can sign in. */
export const user = defineCommand({
  meta: { name: 'user', description: 'Create, list and disable users, and set passwords' },
  subCommands: { create, list, password, disable },
})
