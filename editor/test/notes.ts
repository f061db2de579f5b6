import type { FieldInfo, JsonObject, Schema } from 'quire-client'
import { newId } from '../src/base/ids.ts'
import type { OpenDocument } from '../src/model/form.ts'
import { openDocument } from '../src/model/tree.ts'

// A type of two texts and a list, for tests of saving: what the schema says of it, and how it is opened.

const text = (name: string): FieldInfo => ({ name, type: 'string', label: name, options: {} })

export const NOTE_SCHEMA: Pick<Schema, 'types' | 'widgets'> = {
  widgets: {},
  types: {
    note: {
      family: 'piece',
      label: 'Note',
      pluralLabel: 'Notes',
      fields: [
        text('title'),
        text('words'),
        { name: 'links', type: 'array', label: 'Links', options: {}, fields: [text('label')] },
      ],
      groups: [],
      localized: true,
      versions: true,
      sort: '-updatedAt',
      denied: {},
    },
  },
}

export function openNote(document: JsonObject): OpenDocument {
  return openDocument(NOTE_SCHEMA, 'note', document, { newId, now: () => Date.now() })
}

/** Sets a text of a note. */
export function write(note: OpenDocument, name: 'title' | 'words', value: string): void {
  const leaf = note.node([name])
  if (leaf?.kind === 'leaf') leaf.set(value)
}
