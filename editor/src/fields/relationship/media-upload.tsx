import type { JsonObject } from 'quire-client'
import { newId } from '../../base/ids.ts'
import { useEditor } from '../../data/editor.ts'
import { makeRelated } from '../../data/related.ts'
import type { Leaf } from '../../model/form.ts'
import { t } from '../../words/words.ts'
import { extensionsOf } from '../upload/extensions.ts'
import { UploadZone } from '../upload/upload-zone.tsx'
import { useUploads } from '../upload/use-uploads.ts'
import type { Choosable, Chosen } from './use-chosen.ts'

interface MediaUploadProps {
  /** Images or files. */
  readonly typeName: string
  readonly leaf: Leaf
  readonly chosen: Pick<Chosen, 'max' | 'isFull' | 'add'>
  /** Called with what was made, before it is chosen. */
  readonly onMade?: (made: Choosable) => void
}

/** Uploads pictures or files, makes a document of each, and chooses it. */
export function MediaUpload({ typeName, leaf, chosen, onMade }: MediaUploadProps) {
  const editor = useEditor()
  const { types, site } = editor.schema.value
  const type = types[typeName]
  const file = type?.fields.find(({ name }) => name === 'attachment')
  const uploads = useUploads(extensionsOf(file?.options ?? {}, site), async (attachment) => {
    if (type === undefined) return
    const values = { attachment: referenceTo(attachment) }
    const made = choosable(await makeRelated(editor, { name: typeName, type }, values, newId()))
    onMade?.(made)
    chosen.add(made)
  })
  const denied = type?.denied.createDraft
  const full = chosen.isFull && chosen.max !== undefined ? t.related.full(chosen.max) : null
  return (
    <UploadZone
      uploads={uploads}
      label={t.upload.upload}
      isMultiple={leaf.field.options.max !== 1}
      offBecause={denied ? t.roles.reason(denied) : full}
    />
  )
}

/** A document that was just made, as it is chosen. */
export function choosable({ _id, aposDocId, type, title }: JsonObject): Choosable {
  return { _id: String(_id), aposDocId: String(aposDocId), type: String(type), title: String(title ?? '') }
}

function referenceTo({ _id = null, type = null, name = null, extension = null }: JsonObject): JsonObject {
  return { _id, type, name, extension }
}
