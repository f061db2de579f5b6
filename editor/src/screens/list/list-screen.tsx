import { useRoute } from 'preact-iso'
import type { TypeInfo } from 'quire-client'
import { useEditor } from '../../data/editor.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { t } from '../../words/words.ts'
import { ListBody } from '../parts/list/list-body.tsx'
import { ListTable } from '../parts/list/list-table.tsx'
import { ListTools } from '../parts/list/list-tools.tsx'
import { useList } from '../parts/list/use-list.ts'
import { NoPlace } from '../parts/no-place.tsx'
import { ScreenTitle } from '../parts/screen-title.tsx'
import { TranslationMenu } from '../parts/translation/translation-menu.tsx'
import { OnlyDocument } from './only-document.tsx'

/** The list of a type: `/content/:type`. */
export function ListScreen() {
  const { type: name = '' } = useRoute().params
  const { schema } = useEditor()
  const type = schema.value.types[name]
  if (type?.family !== 'piece') return <NoPlace />
  if (type.singleton) return <OnlyDocument key={name} name={name} type={type} />
  return <List key={name} name={name} type={type} />
}

/** Leads to a document of the site as a whole: `/site/styles`, `/site/global`. */
export function SiteScreen() {
  const { name = '' } = useRoute().params
  const { schema, place } = useEditor()
  const typeName = `${place.namespace}/${name}`
  const type = schema.value.types[typeName]
  return type?.singleton ? <OnlyDocument key={typeName} name={typeName} type={type} /> : <NoPlace />
}

interface ListProps {
  readonly name: string
  readonly type: TypeInfo
}

function List({ name, type }: ListProps) {
  const list = useList(`/content/${encodeURIComponent(name)}`, name, type)
  return (
    <>
      <ScreenTitle title={type.pluralLabel}>
        <TranslationMenu types={[name]} plural={type.pluralLabel} list={list} />
        <NewLink name={name} type={type} />
      </ScreenTitle>
      <ListTools list={list} />
      <ListBody list={list} whenEmpty={<WriteFirst name={name} type={type} />}>
        {(rows) => <ListTable list={list} rows={rows} />}
      </ListBody>
    </>
  )
}

function NewLink({ name, type }: ListProps) {
  const { link } = useEditor()
  const { createDraft } = type.denied
  return (
    <LinkButton
      kind="primary"
      href={link(`/content/${encodeURIComponent(name)}/new`)}
      offBecause={createDraft ? t.roles.reason(createDraft) : null}
    >
      {t.list.create(type.label)}
    </LinkButton>
  )
}

function WriteFirst({ name, type }: ListProps) {
  const { link } = useEditor()
  return (
    <p>
      {t.list.empty(type.pluralLabel)}{' '}
      {type.denied.createDraft === undefined && (
        <a href={link(`/content/${encodeURIComponent(name)}/new`)}>{t.list.writeFirst(type.label)}</a>
      )}
    </p>
  )
}
