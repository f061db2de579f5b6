import type { TypeInfo } from 'quire-client'
import { useEditor } from '../../data/editor.ts'
import { mediaUploadsOf } from '../../data/uploads/media.ts'
import { extensionsOf } from '../../fields/upload/extensions.ts'
import { t } from '../../words/words.ts'
import { FILTER } from '../parts/list/built-in-filters.ts'
import { FilterButton } from '../parts/list/filter-button.tsx'
import { ListBody } from '../parts/list/list-body.tsx'
import { ListTools } from '../parts/list/list-tools.tsx'
import { useList } from '../parts/list/use-list.ts'
import { NoPlace } from '../parts/no-place.tsx'
import { ScreenTitle } from '../parts/screen-title.tsx'
import { TranslationMenu } from '../parts/translation/translation-menu.tsx'
import { AlternativeTexts } from './alternative-texts.tsx'
import { FileTable } from './file-table.tsx'
import { ImageGrid } from './image-grid.tsx'
import { ImageTools } from './image-tools.tsx'
import { UploadButton } from './upload-button.tsx'
import { UploadList } from './upload-list.tsx'
import { useDroppedFiles } from './use-dropped-files.ts'
import './media-screen.css'

/** The library of images: `/media/images`. */
export function ImagesScreen() {
  return <MediaScreen kind="image" path="/media/images" />
}

/** The library of files: `/media/files`. */
export function FilesScreen() {
  return <MediaScreen kind="file" path="/media/files" />
}

interface MediaScreenProps {
  readonly kind: 'image' | 'file'
  readonly path: string
}

function MediaScreen({ kind, path }: MediaScreenProps) {
  const { schema, place } = useEditor()
  const name = `${place.namespace}/${kind}`
  const type = schema.value.types[name]
  if (type === undefined || type.denied.view) return <NoPlace />
  return <Library key={name} kind={kind} path={path} name={name} type={type} />
}

interface LibraryProps extends MediaScreenProps {
  readonly name: string
  readonly type: TypeInfo
}

function Library({ kind, path, name, type }: LibraryProps) {
  const editor = useEditor()
  const uploads = mediaUploadsOf(editor)
  const list = useList(path, name, type)
  const field = type.fields.find(({ type: fieldType }) => fieldType === 'attachment')
  const extensions = field ? extensionsOf(field.options, editor.schema.value.site) : []
  const { createDraft } = type.denied
  const add = (files: Iterable<File>) => {
    for (const file of files) uploads.add(file, { typeName: name, extensions })
  }
  const isDragged = useDroppedFiles(createDraft ? null : add)
  return (
    <>
      <ScreenTitle title={type.pluralLabel}>
        <TranslationMenu types={[name]} plural={type.pluralLabel} list={list} />
        <UploadButton
          extensions={extensions}
          onFiles={add}
          offBecause={createDraft ? t.roles.reason(createDraft) : null}
        />
      </ScreenTitle>
      {isDragged && <p class="q-media-drop">{t.media.dropHere}</p>}
      <ListTools list={list}>
        {kind === 'image' && <ImageTools list={list} />}
        <FilterButton list={list} name={FILTER.unused} label={t.media.unusedOnly} />
      </ListTools>
      <UploadList uploads={uploads} typeName={name} extensions={extensions} />
      {kind === 'image' && <AlternativeTexts uploads={uploads} typeName={name} />}
      <ListBody list={list} whenEmpty={<p>{t.media.empty(type.pluralLabel)}</p>}>
        {(rows) => (kind === 'image' ? <ImageGrid list={list} rows={rows} /> : <FileTable list={list} rows={rows} />)}
      </ListBody>
    </>
  )
}
