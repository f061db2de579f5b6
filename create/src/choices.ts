import { parseArgs } from 'node:util'
import { didYouMean } from '../../cms/src/base/did-you-mean.ts'

/** The templates of sites, and what they contain. */
export const TEMPLATES = {
  empty: 'one type to begin with',
  magazine: 'articles, authors and pages in two languages, with content',
  festival: 'concerts on stages, rendered by Nunjucks templates',
} as const
/** Where a site can keep its content. */
export const DATABASES = {
  sqlite: 'a file in the folder of the site: nothing to install',
  postgres: 'a server, whose URL you write into .env',
} as const

/** The name of a template. */
export type Template = keyof typeof TEMPLATES
/** The name of a kind of database. */
export type Database = keyof typeof DATABASES

/** The choices for a new site. */
export interface Choices {
  readonly folder: string
  readonly template: Template
  readonly database: Database
  /** Whether `npm install` is run in it. */
  readonly installs: boolean
}

/** The default choices. */
export const USUAL = { folder: 'my-site', template: 'empty', database: 'sqlite' } as const

/** The choices on the command line; null for those that are left open. */
export interface Answers {
  readonly folder: string | null
  readonly template: Template | null
  readonly database: Database | null
  readonly installs: boolean
  /** Nothing is to be asked. */
  readonly isSilent: boolean
  readonly wantsHelp: boolean
}

/** The command line could not be understood, or the site not be made: the message says what to do. */
export class Refusal extends Error {}

/** Reads the command line. Throws `Refusal`. */
export function readArguments(args: readonly string[]): Answers {
  const { values, positionals } = parsed(args)
  const [folder, ...others] = positionals
  if (others.length > 0) throw new Refusal(`Name one folder, not ${positionals.length}: ${positionals.join(', ')}.`)
  return {
    folder: folder ?? null,
    template: values.template === undefined ? null : oneOf(TEMPLATES, values.template, '--template'),
    database: values.database === undefined ? null : oneOf(DATABASES, values.database, '--database'),
    installs: !values['no-install'],
    isSilent: values.yes,
    wantsHelp: values.help,
  }
}

function parsed(args: readonly string[]) {
  const options = {
    template: { type: 'string', short: 't' },
    database: { type: 'string', short: 'd' },
    yes: { type: 'boolean', short: 'y', default: false },
    'no-install': { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  } as const
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    // After the mistake, Node.js explains a way to write arguments that is of no use here.
    const [mistake] = String(error instanceof Error ? error.message : error).split('. To specify')
    throw new Refusal(`${mistake}\nSee npm create quire -- --help.`)
  }
}

/** The choice of that name. Throws `Refusal`. */
export function oneOf<Name extends string>(choices: Readonly<Record<Name, string>>, given: string, what: string): Name {
  if (isOneOf(choices, given)) return given
  const names = Object.keys(choices)
  throw new Refusal(`${what} must be one of ${names.join(', ')}, not “${given}”${didYouMean(given, names) || '.'}`)
}

/** Whether there is a choice of that name. */
export function isOneOf<Name extends string>(choices: Readonly<Record<Name, string>>, given: string): given is Name {
  return Object.hasOwn(choices, given)
}
