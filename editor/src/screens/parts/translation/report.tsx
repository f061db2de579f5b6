import type { ComponentChildren } from 'preact'
import { useEditor } from '../../../data/editor.ts'
import type { ImportedDocument, ImportReport } from '../../../data/translation.ts'
import { t } from '../../../words/words.ts'
import { DocumentLink } from './document-link.tsx'
import { Findings } from './findings.tsx'
import { ReplacedTexts } from './replaced-texts.tsx'

/** The report of an import, or of a check, by document; those that need somebody come first. */
export function Report({ report }: { readonly report: ImportReport }) {
  const { schema } = useEditor()
  const { results, documents, untranslated, isCheck, total, left } = report
  const language = schema.value.site.locales[report.to]?.label ?? report.to
  const refused = results.filter(({ problems }) => problems.length > 0)
  const replaced = results.filter((one) => one.replaced.length > 0)
  const warned = results.filter(({ warnings }) => warnings.length > 0)
  const changed = results.filter(({ isChanged }) => isChanged)
  const unchanged = total - left - documents - refused.length
  return (
    <div class="q-translation-report">
      <p>
        {isCheck ? t.translation.wouldChange(documents, language) : t.translation.hasChanged(documents, language)}{' '}
        {unchanged > 0 && `${t.translation.unchanged(unchanged)} `}
        {untranslated > 0 && `${t.translation.untranslatedTexts(untranslated)} `}
        {left > 0 && t.translation.left(left)}
      </p>
      <Part title={t.translation.refused(refused.length)} documents={refused} report={report}>
        {({ problems }) => <Findings findings={problems} />}
      </Part>
      <Part title={t.translation.replaced(report.replaced)} documents={replaced} report={report}>
        {(one) => <ReplacedTexts texts={one.replaced} locale={report.to} />}
      </Part>
      <Part title={t.translation.warned(warned.length)} documents={warned} report={report}>
        {({ warnings }) => <Findings findings={warnings} />}
      </Part>
      <Part title={t.translation.changed(changed.length)} documents={changed} report={report}>
        {() => null}
      </Part>
    </div>
  )
}

interface PartProps {
  readonly title: string
  readonly documents: readonly ImportedDocument[]
  readonly report: ImportReport
  readonly children: (document: ImportedDocument) => ComponentChildren
}

function Part({ title, documents, report, children }: PartProps) {
  if (documents.length === 0) return null
  return (
    <section>
      <h3>{title}</h3>
      <ul>
        {documents.map((one) => (
          <li key={`${one.type}/${one.aposDocId}`}>
            <DocumentLink document={one} report={report} />
            {children(one)}
          </li>
        ))}
      </ul>
    </section>
  )
}
