import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject, type Json } from '../src/base/json.ts'
import { attachment, dump } from './apostrophe-dump.ts'

const FILES = join(import.meta.dirname, 'apostrophe')

/** How `mongoexport` can write a collection: lines or a list, in either form of extended JSON. */
export const FORMS = [
  { name: 'lines, relaxed', isList: false, isCanonical: false },
  { name: 'lines, canonical', isList: false, isCanonical: true },
  { name: 'a list, relaxed', isList: true, isCanonical: false },
  { name: 'a list, canonical', isList: true, isCanonical: true },
] as const

/** Writes the dump, with the file that it names. */
export async function writeDump(folder: string, form: (typeof FORMS)[number]): Promise<void> {
  const uploads = join(folder, 'uploads/attachments')
  const file = 'cl0attimageaaaaaaaaaaaaaa-old-harbour.jpg'
  await mkdir(uploads, { recursive: true })
  await copyFile(join(FILES, 'uploads/attachments', file), join(uploads, file))
  await writeFile(join(folder, 'aposDocs.json'), inForm(dump, form))
  await writeFile(join(folder, 'aposAttachments.json'), inForm([attachment], form))
}

function inForm(documents: readonly Json[], { isList, isCanonical }: (typeof FORMS)[number]): string {
  const written = isCanonical ? documents.map(canonical) : documents
  return isList ? JSON.stringify(written, null, 2) : `${written.map((one) => JSON.stringify(one)).join('\n')}\n`
}

function canonical(value: Json): Json {
  if (typeof value === 'number') {
    return Number.isInteger(value) ? { $numberInt: String(value) } : { $numberDouble: String(value) }
  }
  if (Array.isArray(value)) return value.map(canonical)
  if (!isObject(value)) return value
  if (typeof value.$date === 'string') return { $date: { $numberLong: String(Date.parse(value.$date)) } }
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, canonical(one)]))
}
