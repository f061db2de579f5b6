import { fstatSync, statSync } from 'node:fs'
import { devNull } from 'node:os'
import { defineCommand } from 'citty'
import { createKey, type NewKey, revokeKey } from '../engine/access/keys.ts'
import type { Context } from '../engine/context.ts'
import { toInstant } from '../model/fields/date-fields.ts'
import { ROLES } from '../model/terms/roles.ts'
import type { ApiKey } from '../store/contract/store.ts'
import { userNamed } from './accounts/users.ts'
import { command, print } from './command/command.ts'
import { UsageError } from './command/failure.ts'
import { optionsOfExisting } from './command/lost-database.ts'
import { asOperator, withApp } from './command/operator.ts'
import { siteOption } from './command/site-module.ts'

const create = command({
  meta: { name: 'create', description: 'Create an API key; it is printed once and stored only as a hash' },
  args: {
    role: { type: 'enum', options: [...ROLES], required: true, description: 'What callers with the key may do' },
    name: { type: 'string', required: true, description: 'Who or what it is for', valueHint: 'text' },
    expires: { type: 'string', description: 'The day on which it expires', valueHint: '2027-01-01' },
    user: { type: 'string', description: 'The user it belongs to and is revoked with', valueHint: 'name' },
    ai: { type: 'boolean', description: 'Mark every save as written by AI, and write drafts only' },
    ...siteOption,
  },
  async run({ args }) {
    const { role, name, ai } = args
    assertPrintable()
    const expiresAt = expiry(args.expires)
    const wanted = { role, name: shownName(name), ai: ai === true, expiresAt }
    const { user } = args
    if (user === undefined) return asOperator((ctx) => createAndPrint(ctx, wanted), optionsOfExisting)
    const create = async (ctx: Context) => {
      await createAndPrint(ctx, { ...wanted, userId: (await userNamed(ctx, user)).id })
    }
    await withApp(args.site, create)
  },
})

/** Node.js opens the null device in place of a closed output (`>&-`), where all output is lost. */
function assertPrintable(): void {
  const nowhere = statSync(devNull, { throwIfNoEntry: false })
  const { dev, ino, rdev } = fstatSync(1)
  if (nowhere === undefined || nowhere.rdev !== rdev || nowhere.dev !== dev || nowhere.ino !== ino) return
  throw new UsageError('Nobody would read the key: standard output is closed, or goes nowhere. No key was created.')
}

/** Revokes a key that could not be printed, since its owner cannot learn it. */
async function createAndPrint(ctx: Context, wanted: NewKey): Promise<void> {
  const { stored, key } = await createKey(ctx, wanted)
  console.error(`Key ${stored.id} (${stored.role}, “${stored.name}”). It is not shown again:`)
  try {
    await print(key)
  } catch (error) {
    await revokeKey(ctx, stored.id)
    console.error(`Key ${stored.id} could not be printed, and is revoked.`)
    throw error
  }
}

const list = command({
  meta: { name: 'list', description: 'List all API keys, without the keys themselves' },
  async run() {
    const keys = await asOperator((ctx) => ctx.store.keys.list())
    if (keys.length === 0) console.log('There are no keys. Create one with: quire key create --role editor --name CI')
    for (const key of keys) console.log(lineOf(key, new Date()))
  },
})

const revoke = command({
  meta: { name: 'revoke', description: 'Revoke an API key at once' },
  args: { id: { type: 'positional', required: true, description: 'The id that “quire key list” shows' } },
  async run({ args }) {
    const isRevoked = await asOperator((ctx) => revokeKey(ctx, args.id))
    if (!isRevoked) throw new UsageError(`There is no valid key with the id ${args.id}. See: quire key list`)
    console.log(`Key ${args.id} is revoked.`)
  },
})

/** `quire key create|list|revoke`: API keys in the database. */
export const key = defineCommand({
  meta: { name: 'key', description: 'Create, list and revoke API keys' },
  subCommands: { create, list, revoke },
})

/** A name as a list of keys can show it, on one line. */
function shownName(text: string): string {
  const name = text.trim()
  if (name === '') throw new UsageError('--name must say who or what the key is for.')
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) throw new UsageError('--name must be one line, of characters that are shown.')
  return name
}

/** Parses a date or a time; null for keys that do not expire. */
function expiry(text: string | undefined): string | null {
  if (text === undefined) return null
  const instant = toInstant(text)
  if (instant === null) throw new UsageError(`--expires must be a date such as 2027-01-01, not “${text}”.`)
  if (Date.parse(instant) <= Date.now()) throw new UsageError('--expires is in the past: the key would never be valid.')
  return instant
}

function lineOf(key: ApiKey, now: Date): string {
  const created = `created ${key.createdAt.slice(0, 10)}`
  return [key.id, key.role.padEnd(11), key.ai ? 'AI' : '  ', stateOf(key, now).padEnd(18), created, key.name].join('  ')
}

function stateOf({ revokedAt, expiresAt }: ApiKey, now: Date): string {
  if (revokedAt !== null) return `revoked ${revokedAt.slice(0, 10)}`
  if (expiresAt === null) return 'valid'
  return `${Date.parse(expiresAt) <= now.getTime() ? 'expired' : 'until'} ${expiresAt.slice(0, 10)}`
}
