import { invalid } from '../../base/errors.ts'
import type { Type } from '../../model/declared/types.ts'
import { NO_FIELDS } from '../../model/field-type/options.ts'
import type { Move } from '../../model/history/move-steps.ts'
import type { Document, OpenDocument } from '../../model/terms/document.ts'
import type { DocumentId } from '../../model/terms/document-id.ts'
import type { WriteContext } from '../context.ts'
import { ownSingletonIds, possibleSingletonIds } from '../values/fixed-id.ts'
import { documentMapper, fieldMapper, type MapCopy } from './map-values.ts'
import type { ContentChanges, DeclaredType } from './migration.ts'
import { fieldAt, knownSetOf, planChoice, planMove } from './plan-move.ts'
import { StepRunner, type StepRunnerOptions } from './step-runner.ts'
import type { FieldSet } from './steps.ts'

/** Versions that get another type at a time. */
const VERSIONS = 1000

/** The argument of a migration's `up`: each call becomes a step, which a runner takes. */
export class MigrationRun implements ContentChanges {
  readonly #options: StepRunnerOptions
  readonly #runner: StepRunner

  constructor(options: StepRunnerOptions) {
    this.#options = options
    this.#runner = new StepRunner(options)
  }

  get isDryRun(): boolean {
    return this.#options.isDryRun
  }

  get reports() {
    return this.#runner.reports
  }

  /** Changes the documents as was said; what `up` has awaited is only begun. */
  finish(): Promise<void> {
    return this.#runner.finish()
  }

  async renameType(from: string, to: DeclaredType): Promise<void> {
    const set = this.#setOf(to)
    const title = `renameType ${from} ${set.name}`
    if (set.family === 'widget') {
      if (this.#site.widgets.has(from)) throw stillThere(from)
      await this.#move(set, title, { kind: 'widget', from, to: set.name })
      return
    }
    const type = this.#site.types.get(set.name)
    if (this.#site.types.has(from)) throw stillThere(from)
    if (type?.singleton && type.name.startsWith(`${this.#site.namespace}/`)) throw isBuiltIn(from, type.name)
    // One that gets its first name back has had it all the time.
    const { content } = this.#options
    const ids = type?.singleton
      ? [...ownSingletonIds(content, type.name), ...possibleSingletonIds(content, from)]
      : null
    if (type?.singleton) await this.#makeWay(from, type, title)
    await this.#runner.begin({
      title,
      types: this.#typesOf(from),
      move: { kind: 'type', from, to: set.name },
      change: async ({ document }) => {
        if (type) assertFits(document, type)
        if (ids?.includes(document.id.docId) === false) throw isOneOfMany(document, set.name)
        return type ? { type, values: null } : null
      },
      finish: async ({ tx }) =>
        (await renameInWebhooks(tx, from, set.name)) ||
        (await tx.contentMigrations.renameVersions(from, set.name, VERSIONS)) > 0,
    })
    if (type) await this.#followLinks(from, type)
  }

  async renameField(declared: DeclaredType, from: string, to: string): Promise<void> {
    const parentOf = (path: string) => path.split('.').slice(0, -1).join('.')
    if (parentOf(from) !== parentOf(to)) throw invalid(`${from} and ${to} are not side by side: use moveField.`)
    await this.#moveField(this.#setOf(declared), from, to, 'renameField')
  }

  async moveField(declared: DeclaredType, from: string, to: string): Promise<void> {
    await this.#moveField(this.#setOf(declared), from, to, 'moveField')
  }

  async renameChoice(declared: DeclaredType, field: string, from: string, to: string): Promise<void> {
    const set = this.#setOf(declared)
    await this.#move(set, `renameChoice ${set.name} ${field} ${from} ${to}`, planChoice(set, field, from, to))
  }

  async mapField(declared: DeclaredType, field: string, map: Parameters<ContentChanges['mapField']>[2]): Promise<void> {
    const set = this.#setOf(declared)
    const found = fieldAt(set.fields, field.split('.'))
    if (!found || found.type.computed || found.type.secret)
      throw invalid(`${set.name} has no field ${field} to change.`)
    this.#assertFree(set, [field])
    await this.#map(set, `mapField ${set.name} ${field}`, fieldMapper(set, field, map))
  }

  async mapDocuments(declared: DeclaredType, map: Parameters<ContentChanges['mapDocuments']>[1]): Promise<void> {
    const set = this.#setOf(declared)
    if (set.family === 'widget') throw invalid(`${set.name} is a type of widgets: name the type of their documents.`)
    const checked: typeof map = async (document) => {
      const changes = await map(document)
      this.#assertFree(set, Object.keys(changes ?? {}))
      return changes
    }
    await this.#map(set, `mapDocuments ${set.name}`, documentMapper(set, checked))
  }

  async run(title: string, work: (ctx: WriteContext) => Promise<void>): Promise<void> {
    await this.#runner.once(`run ${title}`, work)
  }

  /** A type that the site does not have is one that a later migration renames or leaves. */
  #setOf(declared: DeclaredType): FieldSet {
    const known = knownSetOf(this.#site, declared)
    if (known) return known
    const { content, isPassing } = this.#options
    const name = typeof declared === 'object' ? declared.name : declared
    if (!isPassing) throw invalid(`The site has no type ${name}.`)
    return { family: content.isFormerWidget(name) ? 'widget' : 'document', name, fields: NO_FIELDS }
  }

  get #site() {
    return this.#options.ctx.site
  }

  /** Removes the singleton that a start made under the new name. Throws when somebody has saved it. */
  async #makeWay(from: string, type: Type, title: string): Promise<void> {
    const docIds = ownSingletonIds(this.#options.content, type.name)
    const copies = async ({ documents }: Pick<WriteContext['store'], 'documents'>) => {
      const ids = (await Promise.all(docIds.map((docId) => documents.everywhere(docId)))).flat().map(({ id }) => id)
      const found: DocumentId[] = []
      for (const id of ids) {
        const copy = await documents.get(id)
        if (copy?.type !== type.name) continue
        if (copy.revision > 1) throw isSaved(from, type.name)
        found.push(id)
      }
      return found
    }
    // Where it goes on after an interruption, the renamed one has this name.
    const isBegun = this.#options.content.typeNames(type.name).includes(from)
    if (!isBegun) await copies(this.#options.ctx.store)
    await this.#runner.once(`${title}: make way`, async ({ tx }) => {
      const made = await copies(tx.read)
      await tx.documents.remove(made)
      for (const docId of new Set(made.map(({ docId }) => docId))) await tx.versions.removeOf(docId, null)
    })
  }

  async #moveField(set: FieldSet, from: string, to: string, verb: string): Promise<void> {
    const move = planMove(set, [from, to], {
      former: (path) => this.#options.content.former(path),
      isPassing: this.#options.isPassing,
    })
    await this.#move(set, `${verb} ${set.name} ${from} ${to}`, move)
  }

  async #move(set: FieldSet, title: string, move: Move): Promise<void> {
    await this.#runner.begin({
      title,
      types: this.#typesWith(set),
      move,
      change: async ({ document, isMoved }) => {
        const type = this.#site.types.get(document.type)
        return type && isMoved ? { type, values: null } : null
      },
    })
  }

  async #map(set: FieldSet, title: string, map: MapCopy): Promise<void> {
    await this.#runner.begin({
      title,
      types: this.#typesWith(set),
      change: async ({ document }) => {
        const type = this.#site.types.get(document.type)
        const values = type ? await map(type.fields, document) : null
        return type && values ? { type, values } : null
      },
    })
  }

  /** Images link to pages by a field that is named after the type of the page. */
  async #followLinks(from: string, { name, family }: Type): Promise<void> {
    const image = this.#site.widgets.get(`${this.#site.namespace}/image`)
    if (family !== 'page' || !image?.fields.byName.has(`_${name}`)) return
    const set = { family: 'widget', name: image.name, fields: image.fields } as const
    await this.#moveField(set, `_${from}`, `_${name}`, 'renameField')
    await this.#move(set, `renameChoice ${image.name} linkTo ${from} ${name}`, planChoice(set, 'linkTo', from, name))
  }

  #typesWith(set: FieldSet): readonly string[] {
    return set.family === 'document'
      ? this.#typesOf(set.name)
      : [...this.#site.types.keys()].flatMap((name) => this.#typesOf(name))
  }

  #typesOf(name: string): readonly string[] {
    return [name, ...this.#options.content.formerTypes(name)]
  }

  /** Refuses fields that other documents depend on: pages below follow a slug and a state. */
  #assertFree({ name }: FieldSet, fields: readonly string[]): void {
    const isPage = this.#site.types.get(name)?.family === 'page'
    const bound = fields.find((field) => field === 'archived' || (isPage && field === 'slug'))
    if (bound !== undefined)
      throw invalid(
        `${bound} of ${name} cannot be changed this way: use run, with the functions that the package exports.`,
      )
  }
}

/** Webhooks for certain types alone stay webhooks for one that is renamed. Returns whether there were any. */
async function renameInWebhooks(
  { read, tokens, webhooks }: WriteContext['tx'],
  from: string,
  to: string,
): Promise<boolean> {
  const named = (await read.webhooks.list()).filter(({ types }) => types.includes(from))
  for (const webhook of named) {
    const types = webhook.types.map((type) => (type === from ? to : type))
    await webhooks.put({ ...webhook, types: [...new Set(types)] })
  }
  // Processes keep the receivers until they hear this.
  if (named.length > 0) tokens.roleChanged()
  return named.length > 0
}

function assertFits({ id, fields }: OpenDocument, { name, family, localized }: Type): void {
  const isPage = typeof fields.slug === 'string' && fields.slug.startsWith('/')
  if (isPage !== (family === 'page')) throw invalid(`${name} is a type of ${family}s.`)
  if ((id.locale !== '') !== localized) throw invalid(`${name} ${localized ? 'has' : 'has no'} locales.`)
}

/** A type is renamed once the site no longer has it. */
function stillThere(name: string) {
  return invalid(`The site still has the type ${name}: take it out of the site first.`)
}

/** The document of a singleton gives way to a renamed one only while nobody has saved it. */
function isSaved(from: string, to: string) {
  return invalid(
    `${to} was saved under its new name before this migration, and keeps what was saved. ${insteadOf(from, to)}`,
  )
}

/** The service finds its own documents by their ids, and those of renamed types keep theirs. */
function isBuiltIn(from: string, to: string) {
  return invalid(`${to} is built in, and has a document of its own. ${insteadOf(from, to)}`)
}

function insteadOf(from: string, to: string): string {
  return (
    `With the former site: quire export FILE --type ${from}. ` +
    `Then leave this step out, and with the new one: quire import FILE --map ${from}=${to} --update`
  )
}

/** Returns the error for a document of another type that would become a singleton. */
function isOneOfMany({ type }: Document, to: string) {
  return invalid(`${to} is a singleton, and ${type} was none: it has documents of its own.`)
}
