import { type Actor, refusal, roleOf } from '../../engine/permissions.ts'
import { localeRef } from '../../http/requests/read-parameters.ts'
import { type QueryParameter, type Route, route } from '../../http/requests/route.ts'
import type { Site } from '../../model/declared/types.ts'
import { hasRole } from '../../model/terms/roles.ts'
import type { Feature } from '../feature.ts'
import { receiveXliff } from './receive-xliff.ts'
import { sendXliff, XLIFF_TYPE } from './send-xliff.ts'
import { reportSchema } from './xliff-schemas.ts'

/** Texts for translators, and back (§4.5): XLIFF files, for editors, of what they may edit. */
export const xliff: Feature = { name: 'xliff', routes: xliffRoutes }

function xliffRoutes(site: Site): readonly Route[] {
  const isFor = (actor: Actor) => hasRole(roleOf(actor), 'editor')
  const common = {
    tag: 'xliff',
    path: `/api/v1/${site.namespace}/xliff`,
    ignoresLocale: true,
    isFor,
    permit: ({ actor }: { readonly actor: Actor }) => {
      if (!isFor(actor)) throw refusal(actor)
    },
  } as const
  return [
    route({
      ...common,
      method: 'GET',
      summary: 'Texts to translate, as an XLIFF 2 file',
      description:
        'The texts of drafts in one locale, with the translations that there are: of the types that the caller may edit, as far as they may write them.',
      operationId: 'xliff.download',
      query: exportParameters(site),
      answer: { type: 'string', description: 'An XLIFF 2 file.' },
      mediaType: XLIFF_TYPE,
      isLong: () => true,
      handle: sendXliff,
    }),
    route({
      ...common,
      method: 'POST',
      summary: 'Import a translated XLIFF 2 file into drafts',
      description:
        'Each document is written whole or not at all, and nothing is published. With `check` nothing is written: the answer says what would change. Existing translations stay, unless `confirmation` is that of a check that listed them.',
      operationId: 'xliff.upload',
      query: IMPORT_PARAMETERS,
      upload: true,
      answer: reportSchema,
      handle: async (ctx, request) => receiveXliff(ctx, request, await import('../../engine/xliff/import-texts.ts')),
    }),
  ]
}

const YES_OR_NO = { type: 'string', enum: ['true', '1', 'false', '0'] }

function exportParameters({ limits }: Site): QueryParameter[] {
  const texts = { type: 'array', items: { type: 'string' } }
  return [
    { name: 'from', description: 'The locale to translate from.', schema: localeRef, isRequired: true },
    { name: 'to', description: 'The locale to translate to.', schema: localeRef, isRequired: true },
    { name: 'types', description: 'Only documents of these types.', schema: texts },
    { name: '_ids', description: 'Only these documents.', schema: { ...texts, maxItems: limits.ids } },
    {
      name: 'untranslated',
      description: 'Only documents with texts that have no translation, or that were changed since it was saved.',
      schema: YES_OR_NO,
    },
  ]
}

const IMPORT_PARAMETERS: readonly QueryParameter[] = [
  {
    name: 'check',
    description: 'Only report what would change.',
    schema: YES_OR_NO,
  },
  {
    name: 'confirmation',
    description: 'Of the answer to a check: the translations that it has listed as replaced are replaced.',
    schema: { type: 'string' },
  },
  {
    name: '_ai',
    description: 'Marks all that is saved as written by AI.',
    schema: YES_OR_NO,
  },
]
