import type { JsonObject } from 'quire-client'
import type { Editor } from '../editor.ts'
import { makeRelated } from '../related.ts'
import { createMediaUploads, type MediaUploads } from './media-uploads.ts'
import { sendFileOf } from './upload-file.ts'

const known = new WeakMap<Editor, MediaUploads>()

/** The uploads into the libraries of an editor: they go on while other screens are open. */
export function mediaUploadsOf(editor: Editor): MediaUploads {
  const there = known.get(editor)
  if (there) return there
  const { schema } = editor
  const make = (name: string, values: JsonObject, key: string) => {
    const type = schema.value.types[name]
    if (type === undefined) throw new Error(`There is no type ${name}.`)
    return makeRelated(editor, { name, type }, values, key)
  }
  const uploads = createMediaUploads({ send: sendFileOf(editor), make }, schema.value.site)
  known.set(editor, uploads)
  return uploads
}
