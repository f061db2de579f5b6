import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { Schema } from 'quire-client'
import { useEditor } from '../../data/editor.ts'
import { Button } from '../../ui/button.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { t } from '../../words/words.ts'
import { LoadFailure } from '../parts/load-failure.tsx'
import { ScreenTitle } from '../parts/screen-title.tsx'
import { TranslationMenu } from '../parts/translation/translation-menu.tsx'
import { FoundPages } from './found-pages.tsx'
import { newPageTypes } from './new-page-types.ts'
import { PageDialogs } from './page-dialogs.tsx'
import { pageRequests } from './page-requests.ts'
import { PageTree } from './page-tree.tsx'
import { createTree } from './tree.ts'
import { usePageActions } from './use-page-actions.ts'

/** All pages of a locale: `/pages`. */
export function PagesScreen() {
  const { locale } = useEditor()
  return <Pages key={locale.value} locale={locale.value} />
}

function Pages({ locale }: { readonly locale: string }) {
  const editor = useEditor()
  const { schema } = editor
  const end = useMemo(() => new AbortController(), [])
  const requests = useMemo(() => pageRequests(editor, locale), [editor, locale])
  const memory = `quire-pages ${schema.value.caller._id} ${locale}`
  const tree = useMemo(() => createTree(requests, memory, end.signal), [requests])
  const actions = usePageActions(tree, requests)
  const search = useSignal('')
  useEffect(() => {
    void tree.start()
    globalThis.addEventListener('focus', tree.renew, { signal: end.signal })
    return () => end.abort()
  }, [tree])
  const { value: lines } = tree.lines
  const { value: failure } = tree.failure
  const home = lines[0]?.page
  const isAllowed = newPageTypes(schema.value).length > 0
  return (
    <>
      <ScreenTitle title={t.frame.pages}>
        <TranslationMenu types={pageTypeNames(schema.value)} plural={t.frame.pages} list={null} />
        <Button
          kind="primary"
          onPress={() => home && actions.ask({ kind: 'create', page: home })}
          offBecause={isAllowed ? null : t.tree.nothingToMake}
        >
          {t.tree.create}
        </Button>
      </ScreenTitle>
      <SearchBox
        label={t.list.search}
        value={search.value}
        onSearch={(words) => {
          search.value = words.trim()
        }}
      />
      {failure !== null && <LoadFailure error={failure} onRetry={() => void (home ? tree.renew() : tree.start())} />}
      {lines.length === 0 && failure === null && <Skeleton rows={8} />}
      {search.value !== '' && (
        <FoundPages
          words={search.value}
          onShow={(docId) => {
            search.value = ''
            void tree.reveal(docId)
          }}
        />
      )}
      {lines.length > 0 && search.value === '' && <PageTree tree={tree} actions={actions} />}
      <PageDialogs actions={actions} requests={requests} />
    </>
  )
}

function pageTypeNames({ types }: Schema): readonly string[] {
  return Object.entries(types).flatMap(([name, { family }]) => (family === 'page' ? name : []))
}
