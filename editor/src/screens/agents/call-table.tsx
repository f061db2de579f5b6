import type { AgentCall } from '../../data/agent-calls.ts'
import { useEditor } from '../../data/editor.ts'
import { t } from '../../words/words.ts'
import { documentPath } from '../parts/document-path.ts'
import { When } from '../parts/when.tsx'
import '../parts/list/list-table.css'

/** Calls in a table; on a phone each of them is a few lines. */
export function CallTable({ rows }: { readonly rows: readonly AgentCall[] }) {
  return (
    <table class="q-table" aria-label={t.agents.title}>
      <thead>
        <tr>
          <th scope="col">{t.agents.time}</th>
          <th scope="col">{t.agents.key}</th>
          <th scope="col">{t.agents.tool}</th>
          <th scope="col">{t.agents.document}</th>
          <th scope="col">{t.agents.result}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((call) => (
          <tr key={call._id}>
            <td data-label={t.agents.time}>
              <When time={call.at} />
            </td>
            <td data-label={t.agents.key}>{call.key}</td>
            <td data-label={t.agents.tool}>
              <code>{call.tool}</code>
            </td>
            <td data-label={t.agents.document}>
              <About call={call} />
            </td>
            <td data-label={t.agents.result} class={call.result === 'ok' ? undefined : 'q-agents-failed'}>
              {resultOf(call)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The document of a call, with a link where it is still there. */
function About({ call: { document, documentType, documentTitle, locale } }: { readonly call: AgentCall }) {
  const { schema, link } = useEditor()
  const type = documentType === null ? undefined : schema.value.types[documentType]
  if (document === null || documentType === null || type === undefined) return <>{document}</>
  const query = locale === null ? {} : { locale }
  return <a href={link(documentPath(documentType, type, document), query)}>{documentTitle || t.list.untitled}</a>
}

function resultOf({ result }: AgentCall): string {
  return result === 'ok' ? t.agents.done : (t.agents.results[result] ?? result)
}
