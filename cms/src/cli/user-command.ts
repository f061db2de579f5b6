import { defineCommand } from 'citty'
import { didYouMean } from '../base/did-you-mean.ts'
import type { Context } from '../engine/context.ts'
import { isRole, ROLES } from '../model/terms/roles.ts'
import { allUsers, changeUser, createUser, userNamed } from './accounts/users.ts'
import { command } from './command/command.ts'
import { UsageError } from './command/failure.ts'
import { optionsOfExisting } from './command/lost-database.ts'
import { withApp } from './command/operator.ts'
import { siteOption } from './command/site-module.ts'
import { readPassword } from './command/terminal.ts'

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
    const user = { username, role, email, firstName: args['first-name'], lastName: args['last-name'] }
    const create = async (ctx: Context) => {
      await createUser(ctx, { ...user, password: await readPassword(process.env) })
    }
    await withApp(args.site, create, optionsOfExisting)
    console.log(`${username} can sign in now, as ${role}.`)
  },
})

const list = command({
  meta: { name: 'list', description: 'List all users' },
  args: siteOption,
  async run({ args }) {
    const users = await withApp(args.site, allUsers)
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
    const change = async (ctx: Context) => {
      await userNamed(ctx, args.name)
      await changeUser(ctx, args.name, { password: await readPassword(process.env) })
    }
    await withApp(args.site, change)
    console.log(`${args.name} has a new password and is signed out everywhere.`)
  },
})

const disable = command({
  meta: { name: 'disable', description: 'Disable a user, and sign them out everywhere' },
  args: { name: who, ...siteOption },
  async run({ args }) {
    await withApp(args.site, (ctx) => changeUser(ctx, args.name, { disabled: true }))
    console.log(`${args.name} can no longer sign in, and is signed out everywhere.`)
  },
})

const enable = command({
  meta: { name: 'enable', description: 'Let a disabled user sign in again' },
  args: { name: who, ...siteOption },
  async run({ args }) {
    await withApp(args.site, (ctx) => changeUser(ctx, args.name, { disabled: false }))
    console.log(`${args.name} can sign in again.`)
  },
})

const role = command({
  meta: { name: 'role', description: 'Give a user another role' },
  args: {
    name: who,
    role: { type: 'positional', required: true, description: `What the user may do: ${ROLES.join(', ')}` },
    ...siteOption,
  },
  async run({ args }) {
    const { role } = args
    if (!isRole(role)) {
      const hint = didYouMean(role, ROLES) || '.'
      throw new UsageError(`There is no role “${role}”${hint} It can be: ${ROLES.join(', ')}.`)
    }
    await withApp(args.site, (ctx) => changeUser(ctx, args.name, { role }))
    console.log(`${args.name} is ${role} now.`)
  },
})

/** `quire user create|list|role|password|disable|enable`: the users who can sign in. */
export const user = defineCommand({
  meta: { name: 'user', description: 'Create, list, disable and enable users, and set their roles and passwords' },
  subCommands: { create, list, role, password, disable, enable },
})
