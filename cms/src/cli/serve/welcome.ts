import { styleText } from 'node:util'
import type { Site, Type } from '../../model/declared/types.ts'
import type { AdminKey } from '../accounts/admin-key.ts'

/** The contents of the block printed at start. */
interface Welcome {
  readonly site: Site
  readonly address: string
  /** The database's address without its password. */
  readonly database: string
  readonly key: AdminKey | null
  /** A type that anonymous callers may list, and a word that finds one of its documents. */
  readonly example: { readonly type: Type; readonly word: string } | null
}

/** The block that is printed at start, at a terminal: the service's address, its admin key, and commands to paste. */
export function welcome(facts: Welcome): string {
  const { site, address, database, key } = facts
  const lines = [
    '',
    `  ${strong('Quire')} serves ${strong(site.name)}`,
    '',
    `  Address    ${styleText('cyan', address + site.prefix, { stream: process.stdout })}`,
    `  Database   ${database}`,
    ...keyLines(key),
    ...section('Try it', examples(facts)),
  ]
  return `${lines.join('\n')}\n`
}

/** Returns up to three working curl commands: a public list, a search, and a new document with the admin key. */
function examples({ site, address, key, example }: Omit<Welcome, 'database'>): string[] {
  const base = `${address}${site.prefix}/api/v1`
  const writable = exampleTypes(site).find(needsTitleOnly)
  return [
    ...(example ? [`curl '${base}/${example.type.name}?perPage=2'`] : []),
    ...(example ? [`curl '${base}/${example.type.name}?search=${encodeURIComponent(example.word)}'`] : []),
    ...(writable && key ? [postLine(`${base}/${writable.name}`, key)] : []),
  ]
}

/** The site's own piece types except singletons, the last declared first. */
export function exampleTypes(site: Site): Type[] {
  const types = [...site.types.values()].filter((type) => type.family === 'piece' && !type.singleton)
  return types.filter((type) => !type.name.startsWith(site.namespace)).reverse()
}

function keyLines(key: AdminKey | null): string[] {
  if (key === null) return []
  if (key.created === null) return [`  Admin key  stored in ${key.path}`]
  return [`  Admin key  ${strong(key.created)}`, `             shown this once, and stored in ${key.path}`]
}

function postLine(url: string, key: AdminKey): string {
  const header = `-H "Authorization: Bearer $(cat '${key.path}')"`
  return `curl '${url}' ${header} -H 'Content-Type: application/json' -d '{"title":"Hello"}'`
}

function needsTitleOnly(type: Type): boolean {
  return type.fields.list.every((field) => !field.required || field.name === 'title' || field.def !== undefined)
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [''] : ['', `  ${title}:`, ...lines.map((line) => `  ${line}`), '']
}

function strong(text: string): string {
  return styleText('bold', text, { stream: process.stdout })
}
