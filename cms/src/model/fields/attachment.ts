import { z } from 'zod'
import { isObject, type JsonSchema, own } from '../../base/json.ts'
import { boolean, dateTime, describedObject, integer, list, object, text, texts } from '../../base/json-schema.ts'
import { cutText } from '../../base/text.ts'
import type { FieldType } from '../field-type/field-type.ts'
import { isBlank } from '../field-type/outside.ts'
import { isId } from '../terms/document-id.ts'
import { FILE_SIZES } from '../terms/image-sizes.ts'

const urls = Object.fromEntries(FILE_SIZES.map((size) => [size, text(`The size ${size}.`)]))

/** A part of an image, in pixels of the image as displayed. */
export const cropSchema = describedObject(
  'A part of an image, in pixels of the image as displayed.',
  ['top', 'left', 'width', 'height'],
  {
    top: integer('From the top.'),
    left: integer('From the left.'),
    width: { ...integer('Its width.'), minimum: 1 },
    height: { ...integer('Its height.'), minimum: 1 },
  },
)

const properties = {
  _id: text('Its id.'),
  type: { type: 'string', const: 'attachment', description: 'What it is.' },
  name: text('The name of the file as a slug, without its extension.'),
  extension: text('The extension, without the dot.'),
  _url: text('The file; of an image the original, or the crop that a relationship asks for.'),
  _urls: {
    type: 'object',
    description: 'Images only, by size. `uncropped`: those of the whole image, where the others are of a crop.',
    properties: {
      ...urls,
      uncropped: { type: 'object', properties: urls, description: 'The whole image, by size.' },
    },
  },
  docIds: texts('The documents that use it, as far as the caller may know them.'),
  archivedDocIds: texts('The same of archived documents.'),
  createdAt: dateTime('When it was uploaded.'),
  updatedAt: dateTime('When it was last changed.'),
  group: text('The group of files: `images`, `office` or one of the site.'),
  title: text('The name of the file, for sorting.'),
  length: integer('Bytes.'),
  md5: text('The MD5 of the bytes.'),
  width: integer('Images only: pixels as displayed.'),
  height: integer('Images only: pixels as displayed.'),
  landscape: boolean('Images only: wider than high.'),
  portrait: boolean('Images only: higher than wide.'),
  crops: list(cropSchema, 'The crops that were made of it.'),
  _crop: cropSchema,
  _isCroppable: boolean('Images only: an SVG is not.'),
  _alt: text('In image and file pieces: their alternative text.'),
}

/** An attachment as the upload answers it (§2.3). */
export const attachmentSchema = object(
  '_id type _url docIds archivedDocIds createdAt updatedAt extension group name title length md5 crops'.split(' '),
  properties,
)

/** The shape of an attachment in a field of a document: it may be empty. */
const attachmentValueSchema: JsonSchema = { type: ['object', 'null'], required: ['_id', 'type'], properties }

/** The shape of an attachment in a body: only the id is required. */
const attachmentInputSchema: JsonSchema = {
  type: ['object', 'null'],
  required: ['_id'],
  properties: { _id: text('The _id that the upload answered.') },
}

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
