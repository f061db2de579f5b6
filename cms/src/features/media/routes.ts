import type { JsonSchema } from '../../base/json.ts'
import { type Actor, roleOf } from '../../engine/permissions.ts'
import { viewOf } from '../../engine/view.ts'
import { type Route, route } from '../../http/requests/route.ts'
import type { Site } from '../../model/declared/types.ts'
import { attachmentSchema, cropSchema } from '../../model/field-type/attachment-schema.ts'
import { SIZE_NAMES } from '../../model/terms/image-sizes.ts'
import { hasRole } from '../../model/terms/roles.ts'
import { cropImage, redirectToImage } from './crop-attachment.ts'
import { assertMayUpload, uploadFile } from './upload-file.ts'

/** The routes of media other than those of image and file pieces (§4.3). */
export function mediaRoutes(site: Site): readonly Route[] {
  const { namespace } = site
  const isFor = (actor: Actor) => hasRole(roleOf(actor), 'contributor')
  const attachment = { tag: 'attachment', method: 'POST', isFor } as const
  const path = (step: string) => `/api/v1/${namespace}/attachment/${step}`
  const image = site.types.get(`${namespace}/image`)
  if (image === undefined) throw new Error('A site has images.')
  return [
    route({
      ...attachment,
      path: path('upload'),
      summary: 'Upload a file',
      operationId: 'attachment.upload',
      upload: true,
      answer: attachmentSchema,
      permit: ({ actor }) => assertMayUpload(actor),
      handle: uploadFile,
    }),
    route({
      ...attachment,
      path: path('crop'),
      summary: 'Crop an image in all sizes',
      operationId: 'attachment.crop',
      body: CROP_BODY,
      answer: { type: 'boolean', const: true },
      permit: ({ actor }) => assertMayUpload(actor),
      handle: cropImage,
    }),
    route({
      method: 'GET',
      path: `/api/v1/${namespace}/image/:_id/src`,
      summary: 'Redirect to the file of an image',
      tag: image.name,
      operationId: `${image.name}.src`,
      query: [
        {
          name: 'size',
          description: '`max` when left out.',
          schema: { type: 'string', enum: [...SIZE_NAMES, 'original'], default: 'max' },
        },
      ],
      answer: {},
      redirects: true,
      isFor: (actor) => viewOf(actor, image) !== null,
      handle: (ctx, request) => redirectToImage(ctx, image, request),
    }),
  ]
}

const CROP_BODY: JsonSchema = {
  type: 'object',
  required: ['_id', 'crop'],
  properties: { _id: { type: 'string', description: 'The `_id` of an image attachment.' }, crop: cropSchema },
}
