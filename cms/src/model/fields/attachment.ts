import { z } from 'zod'
import { isId } from '../../base/ids.ts'
import { isObject, own } from '../../base/json.ts'
import { cutText } from '../../base/text.ts'
import { attachmentInputSchema, attachmentValueSchema } from '../field-type/attachment-schema.ts'
import type { FieldType } from '../field-type/field-type.ts'
import { isBlank } from '../field-type/outside.ts'

const options = z.strictObject({
  fileGroup: z.string().optional(),
  /** Extensions, without the dot. */
  accepts: z.array(z.string().regex(/^[a-z0-9]+$/)).optional(),
})

type AttachmentValue = { _id: string; type: 'attachment'; name: string; extension: string }

/** An uploaded file (§2.3). Only its id matters; name and extension are stored in case the file is removed. */
export const attachment: FieldType<z.infer<typeof options>, AttachmentValue> = {
  name: 'attachment',
  options,
  blank: () => null,
  read(input, { fileGroup, accepts }, reading, before) {
    if (isBlank(input)) return null
    const given: { readonly [name: string]: unknown } = isObject(input) ? input : { _id: input }
    const id = own(given, '_id')
    if (typeof id !== 'string' || !isId(id)) {
      reading.problem('This must be an attachment with its _id, as the upload answered it.')
      return null
    }
    if (before?._id === id) return before
    reading.mustExist({ kind: 'attachment', id, fileGroup, accepts })
    return {
      _id: id,
      type: 'attachment',
      name: readName(own(given, 'name')),
      extension: readExtension(own(given, 'extension')),
    }
  },
  toText: (value, _options, names) => names?.fileName(value._id) ?? storedName(value),
  jsonSchema: (_options, { side }) => (side === 'answer' ? attachmentValueSchema : attachmentInputSchema),
  file: true,
  diff: (older, newer) => (older?._id === newer?._id ? [] : [{ of: 'value', old: older, new: newer }]),
  references: (value) => [{ kind: 'attachment', id: value._id }],
}

function storedName({ _id, name, extension }: AttachmentValue): string {
  return extension === '' ? name || _id : `${name || _id}.${extension}`
}

function readName(name: unknown): string {
  return typeof name === 'string' ? cutText(name.toWellFormed().replace(/[\p{Cc}/\\]/gu, ''), 200) : ''
}

function readExtension(extension: unknown): string {
  return typeof extension === 'string' && /^[a-z0-9]{1,10}$/.test(extension) ? extension : ''
}
