import type { JsonSchema } from '../../base/json.ts'
import { object, text } from '../../base/json-schema.ts'
import { forgetExpiredClipboards } from '../../engine/access/clipboards.ts'
import { forgetOldAttempts } from '../../engine/access/throttle.ts'
import type { Context } from '../../engine/context.ts'
import { assertContributor, isContributor } from '../../engine/permissions.ts'
import type { Job } from '../../engine/run-jobs.ts'
import { viewOf } from '../../engine/view.ts'
import { type Route, route } from '../../http/requests/route.ts'
import { DAILY } from '../../model/declared/job-schedules.ts'
import type { Site } from '../../model/declared/types.ts'
import { attachmentSchema, cropSchema } from '../../model/fields/attachment.ts'
import { SIZE_NAMES } from '../../model/terms/image-sizes.ts'
import type { Feature } from '../feature.ts'
import { cleanKilled, cleanUploads, NOT_LINKED, removeFilesWith } from './clean-media.ts'
import { cropImage, redirectToImage } from './crop-attachment.ts'
import { uploadByLink, uploadFile } from './upload-file.ts'

/** JSON and forms, which are no file, are read to be refused. */
const MOST_OF_OTHERS = 64 * 1024

/** Cleans uploads (§4.3), and what is left of failures to sign in and of clipboards. */
export const DAILY_CLEANING: Job = {
  name: 'media cleaning',
  schedule: DAILY,
  run: cleanDaily,
}

/** Uploads, crops and image redirects (§4.3). Image and file pieces are served like all pieces. */
export const media: Feature = {
  name: 'media',
  routes: mediaRoutes,
  hooks: {
    afterRemove: { wait: true, run: removeFilesWith },
  },
  jobs: () => [DAILY_CLEANING],
  serve: cleanAtStart,
}

/** Removes the leftovers of killed processes at start, without waiting for the daily cleaning. */
async function cleanAtStart(ctx: Context): Promise<() => Promise<void>> {
  const stop = new AbortController()
  const work = cleanKilled(ctx, stop.signal).catch((error) => {
    ctx.log.warn(
      { error },
      'What uploads that were cut off have left could not be removed. The daily cleaning tries again.',
    )
  })
  return async () => {
    stop.abort()
    await work
  }
}

/** Removes unused uploads (§4.3), and what is left of failures to sign in and of clipboards. */
async function cleanDaily(ctx: Context, signal: AbortSignal): Promise<void> {
  await forgetOldAttempts(ctx)
  await forgetExpiredClipboards(ctx)
  const { isLinked, unused, leftOver, unknown } = await cleanUploads(ctx, { signal })
  if (!isLinked) ctx.log.warn({}, NOT_LINKED)
  if (unused + leftOver > 0) ctx.log.info({ unused, leftOver }, 'Unused uploads were removed.')
  if (unknown.count > 0) ctx.log.warn({ unknown: unknown.count }, 'Some uploads are unknown. See: quire media clean')
}

/** The routes of media other than those of image and file pieces (§4.3). */
function mediaRoutes(site: Site): readonly Route[] {
  const { namespace } = site
  const isFor = isContributor
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
      permit: assertContributor,
      handle: uploadFile,
    }),
    ...(['PUT', 'POST'] as const).map((method) =>
      route({
        method,
        path: path('upload-link'),
        summary: 'Upload a file by a link',
        description:
          'A link that an agent was given takes one file, without a key: as the body itself, or as a form. It is uploaded in the name of the key that the link was made with.',
        tag: 'attachment',
        operationId: method === 'PUT' ? 'attachment.put-by-link' : 'attachment.upload-by-link',
        isFor,
        ignoresLocale: true,
        upload: true,
        takesBytes: true,
        maxBodyBytes: MOST_OF_OTHERS,
        query: [{ name: 'token', description: 'As the link has it.', schema: { type: 'string' }, isRequired: true }],
        answer: attachmentSchema,
        handle: uploadByLink,
      }),
    ),
    route({
      ...attachment,
      path: path('crop'),
      summary: 'Crop an image in all sizes',
      operationId: 'attachment.crop',
      body: CROP_BODY,
      answer: { type: 'boolean', const: true },
      permit: assertContributor,
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

const CROP_BODY: JsonSchema = object(['_id', 'crop'], {
  _id: text('The `_id` of an image attachment.'),
  crop: cropSchema,
})
