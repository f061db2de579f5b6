import type { JsonObject } from '../../base/json.ts'
import { type Document, DocumentId } from '../../model/document.ts'
import { currentSources, type ReadDocument } from '../../store/store.ts'
import type { Fragment } from '../answer-caching.ts'
import type { Context } from '../context.ts'
import { audienceOf } from '../permissions.ts'
import { TextSlots } from '../shared-bytes.ts'
import type { Presentation } from './present.ts'
import type { Projection } from './projection.ts'
import { RelatedSize } from './related-size.ts'

/** What a document is presented with as part of an answer; as in `Presentation`. */
type AnswerPart = Required<Pick<Presentation, 'sizes' | 'textSlots'>>

/** How documents become JSON. All that it depends on but the content is the context, `name` and `project`. */
export interface FragmentForm {
  readonly name: string
  readonly project: Projection | null
  /** More properties follow: their text has no last brace. */
  readonly isOpen?: boolean
  present(document: Document, part: AnswerPart): Promise<JsonObject>
  /** The entity tag of an answer with this document alone, where the caller may know of its revisions. */
  tagOf(document: Document): Promise<string | null>
}

/**
 * Documents as JSON text for one caller, each made once for all of the same audience and cached while what it was made of
 * stands. Answers are put together of them.
 */
export class Fragments {
  readonly #ctx: Context
  readonly #form: FragmentForm
  readonly #prefix: string

  constructor(ctx: Context, form: FragmentForm) {
    this.#ctx = ctx
    this.#form = form
    this.#prefix = prefixOf(ctx, form)
  }

  /** The cached one of a copy. */
  byId(id: DocumentId): Fragment | undefined {
    return this.#ctx.caches.fragments.get(this.#prefix + DocumentId.format(id))
  }

  /** The cached one of the document with a row number. */
  byRow(row: number): Fragment | undefined {
    return this.#ctx.caches.fragments.get(`${this.#prefix}#${row}`)
  }

  /**
   * Makes those of documents, all at once, by row numbers. `known`: the others of the answer. Throws `invalid` where it
   * is too long.
   */
  async make(
    documents: ReadonlyMap<number, ReadDocument>,
    known: readonly Fragment[],
  ): Promise<(readonly [row: number, fragment: Fragment])[]> {
    const sizes = new RelatedSize('refuse')
    for (const { related } of known) sizes.add(related)
    return Promise.all([...documents].map(async ([row, one]) => [row, await this.#make(one, sizes)] as const))
  }

  /** Makes that of a document that is asked for alone. */
  one(document: ReadDocument): Promise<Fragment> {
    return this.#make(document, new RelatedSize('refuse'))
  }

  #make({ row, bytes, document, basis }: ReadDocument, sizes: RelatedSize): Promise<Fragment> {
    const { id } = document
    const make = async () => {
      currentSources()?.use(basis)
      const state = stateOf(document)
      const textSlots = new TextSlots()
      const answer = await this.#form.present(document, { sizes, textSlots })
      const json = JSON.stringify(answer)
      const text = textSlots.fill(this.#form.isOpen ? json.slice(0, -'}'.length) : json)
      return { ...state, text, bytes, related: sizes.of(answer), tag: await this.#form.tagOf(document) }
    }
    return this.#ctx.caches.fragments.make(make, () => [this.#prefix + DocumentId.format(id), `${this.#prefix}#${row}`])
  }
}

/** What decides who may see a document. */
export function stateOf({ fields }: Document): Pick<Fragment, 'isArchived' | 'visibility'> {
  return {
    isArchived: fields.archived === true,
    visibility: fields.visibility === 'loginRequired' ? 'loginRequired' : 'public',
  }
}

/** What presenting depends on beside the document. */
function prefixOf(ctx: Context, { name, project }: FragmentForm): string {
  const { locale, mode, isExternalFront, isStaticBuild, explicit } = ctx
  const shown = project === null ? '' : `${project.kind} ${JSON.stringify([...project.names].sort())}`
  // Hooks see the whole context.
  const seen = ctx.hooks.has('present') ? `${isExternalFront} ${explicit.locale} ${explicit.mode}` : ''
  return `${name} ${audienceOf(ctx.actor)} ${locale} ${mode} ${isStaticBuild} ${seen} ${shown} `
}
