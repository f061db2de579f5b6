import type { Context } from '../../engine/context.ts'
import type { Finding, ImportedDocument, TranslatedFile } from '../../engine/xliff/imported.ts'
import { DocumentId, isId } from '../../model/terms/document-id.ts'

/** The most documents of one file. */
export const MOST_DOCUMENTS = 2_000
/** The most texts that a report lists; the documents after that are not imported. */
const MOST_LISTED = 20_000
/** The most characters of a text, and of a message. */
const MOST_SHOWN = 300

/** The report of an import, or of a check (§4.5). */
export class TranslationReport {
  readonly #ctx: Context
  readonly #file: TranslatedFile
  readonly #results: object[] = []
  readonly #sums = { documents: 0, refused: 0, texts: 0, untranslated: 0, replaced: 0 }
  #done = 0
  #listed = 0

  constructor(ctx: Context, file: TranslatedFile) {
    this.#ctx = ctx
    this.#file = file
  }

  /** Whether it lists as many texts as it may. */
  get isFull(): boolean {
    return this.#listed >= MOST_LISTED
  }

  add(one: ImportedDocument): void {
    const { isChanged, texts, untranslated, replaced, warnings, problems } = one
    this.#done += 1
    this.#listed += replaced.length + warnings.length + problems.length
    this.#sums.documents += isChanged ? 1 : 0
    this.#sums.refused += problems.length > 0 ? 1 : 0
    this.#sums.texts += isChanged ? texts : 0
    this.#sums.untranslated += untranslated
    this.#sums.replaced += replaced.length
    if (isChanged || problems.length + warnings.length > 0) this.#results.push(this.#shown(one))
  }

  /** The answer; `more` is what a check adds. */
  answer(more: object): object {
    const { locales, total } = this.#file
    return { ...more, ...locales, total, ...this.#sums, left: total - this.#done, results: this.#results }
  }

  #shown({ type, docId, title, isChanged, isNew, texts, replaced, warnings, problems }: ImportedDocument): object {
    const id = { docId, locale: this.#file.locales.to, mode: 'draft' } as const
    return {
      type: shown(type),
      ...(isId(docId) && this.#ctx.site.types.has(type) && { _id: DocumentId.format(id) }),
      aposDocId: shown(docId),
      title,
      isChanged,
      isNew,
      texts: isChanged ? texts : 0,
      replaced: replaced.map(({ path, label, before, after, isChanged: isOther }) => {
        return { path: shown(path), label, before: shown(before), after: shown(after), isChanged: isOther }
      }),
      warnings: warnings.map(shownFinding),
      problems: problems.map(shownFinding),
    }
  }
}

function shownFinding({ path, message, advice }: Finding): Finding {
  return { path: shown(path), message: shown(message), advice }
}

function shown(text: string): string {
  return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN - 1)}…`
}
