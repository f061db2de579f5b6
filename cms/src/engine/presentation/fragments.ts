import type { JsonObject } from '../../base/json.ts'
import { type Document, DocumentId } from '../../model/terms/document.ts'
import { currentSources, type ReadDocument } from '../../store/contract/store.ts'
import type { Fragment } from '../answer-caching.ts'
import type { Context } from '../context.ts'
import { audienceOf } from '../permissions.ts'
import { TextSlots } from '../shared-bytes.ts'
import type { Presentation } from './present.ts'
import type { Projection } from './projection.ts'
import { RelatedSize } from './related-size.ts'

/** What all documents of an answer share; see `Presentation`. */
type AnswerPart = Required<Pick<Presentation, 'sizes' | 'textSlots'>>

/** How documents become JSON. Beside the content this depends on the context, `name` and `project` alone. */
export interface FragmentForm {
  readonly name: string
  readonly project: Projection | null
  /** The text ends without its closing brace, because more properties follow. */
  readonly isOpen?: boolean
  present(document: Document, part: AnswerPart): Promise<JsonObject>
  /** The entity tag of an answer with this document alone; null where the caller must not know its revisions. */
  tagOf(document: Document): Promise<string | null>
}

/**
 * Documents as JSON text, which answers are assembled from. Each is made once for all callers of one audience, and
 * cached until anything that it was made of changes.
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

  /** The cached fragment of a copy. */
  byId(id: DocumentId): Fragment | undefined {
    return this.#ctx.caches.fragments.get(this.#prefix + DocumentId.format(id))
  }

  /** The cached fragment of the copy with this row number. */
  byRow(row: number): Fragment | undefined {
    return this.#ctx.caches.fragments.get(`${this.#prefix}#${row}`)
  }

  /**
   * Makes the fragments of these documents concurrently, and returns them by row number. `known`: the other fragments
   * of the answer. Throws `invalid` when the answer is too long.
   */
  async make(
    documents: ReadonlyMap<number, ReadDocument>,
    known: readonly Fragment[],
  ): Promise<(readonly [row: number, fragment: Fragment])[]> {
    const sizes = new RelatedSize('refuse')
    for (const { related } of known) sizes.add(related)
    return Promise.all([...documents].map(async ([row, one]) => [row, await this.#make(one, sizes)] as const))
  }

  /** Makes the fragment of an answer with one document. */
  one(document: ReadDocument): Promise<Fragment> {
    return this.#make(document, new RelatedSize('refuse'))
  }

  #make({ row, bytes, document, basis }: ReadDocument, sizes: RelatedSize): Promise<Fragment> {
    const { id } = document
    const make = async () => {
      currentSources()?.use(basis)
      const { isArchived, visibility } = stateOf(document)
      const textSlots = new TextSlots()
      const answer = await this.#form.present(document, { sizes, textSlots })
      const json = JSON.stringify(answer)
      const text = textSlots.fill(this.#form.isOpen ? json.slice(0, -'}'.length) : json)
      const [related, tag] = [sizes.of(answer), await this.#form.tagOf(document)]
      // At once: an object that properties are added to takes twice the memory.
      return { isArchived, visibility, text, bytes, related, tag }
    }
    return this.#ctx.caches.fragments.make(make, () => [this.#prefix + DocumentId.format(id), `${this.#prefix}#${row}`])
  }
}

/** The state of a document that decides who may see it. */
export function stateOf({ fields }: Document): Pick<Fragment, 'isArchived' | 'visibility'> {
  return {
    isArchived: fields.archived === true,
    visibility: fields.visibility === 'loginRequired' ? 'loginRequired' : 'public',
  }
}

/** All that a fragment depends on beside the content. */
function prefixOf(ctx: Context, { name, project }: FragmentForm): string {
  const { locale, mode, isExternalFront, isStaticBuild, explicit } = ctx
  const shown = project === null ? '' : `${project.kind} ${JSON.stringify([...project.names].sort())}`
  // Hooks see the whole context.
  const seen = ctx.hooks.has('present') ? `${isExternalFront} ${explicit.locale} ${explicit.mode}` : ''
  return `${name} ${audienceOf(ctx.actor)} ${locale} ${mode} ${isStaticBuild} ${seen} ${shown} `
}
