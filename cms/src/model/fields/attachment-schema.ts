import type { JsonSchema } from '../../base/json.ts'
import { SIZE_NAMES } from '../image-sizes.ts'

const text: JsonSchema = { type: 'string' }
const whole: JsonSchema = { type: 'integer', minimum: 0 }
const time: JsonSchema = { type: 'string', format: 'date-time' }
const ids: JsonSchema = { type: 'array', items: text }
const urls = Object.fromEntries([...SIZE_NAMES, 'original'].map((size) => [size, text]))

/** A part of an image, in pixels of the image as displayed. */
export const cropSchema: JsonSchema = {
  type: 'object',
  required: ['top', 'left', 'width', 'height'],
  properties: {
    top: whole,
    left: whole,
    width: { type: 'integer', minimum: 1 },
    height: { type: 'integer', minimum: 1 },
  },
}

const properties = {
  _id: text,
  type: { const: 'attachment' },
  name: text,
  extension: text,
  _url: { ...text, description: 'The file; of an image the original, or the crop that a relationship asks for.' },
  _urls: {
    type: 'object',
    description: 'Images only, by size. `uncropped`: those of the whole image, where the others are of a crop.',
    properties: { ...urls, uncropped: { type: 'object', properties: urls } },
  },
  docIds: { ...ids, description: 'The documents that use it, as far as the caller may know them.' },
  archivedDocIds: { ...ids, description: 'The same of archived documents.' },
  createdAt: time,
  updatedAt: time,
  group: text,
  title: text,
  length: { ...whole, description: 'Bytes.' },
  md5: text,
  width: whole,
  height: whole,
  landscape: { type: 'boolean' },
  portrait: { type: 'boolean' },
  crops: { type: 'array', items: cropSchema },
  _crop: cropSchema,
  _isCroppable: { type: 'boolean', description: 'Images only: an SVG is not.' },
  _alt: { ...text, description: 'In image and file pieces: their alternative text.' },
}

/** An attachment as the upload answers it (§2.3). */
export const attachmentSchema: JsonSchema = {
  type: 'object',
  required: [
    '_id',
    'type',
    '_url',
    'docIds',
    'archivedDocIds',
    'createdAt',
    'updatedAt',
    'extension',
    'group',
    'name',
    'title',
    'length',
    'md5',
    'crops',
  ],
  properties,
}

/** The same in a field of a document: it may be empty, and bodies need say no more than the id. */
export const attachmentValueSchema: JsonSchema = { type: ['object', 'null'], required: ['_id', 'type'], properties }
