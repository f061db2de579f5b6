import { useContext } from 'preact/hooks'
import type { JsonObject } from 'quire-client'
import { useEditor } from '../../data/editor.ts'
import { isObject } from '../../model/json.ts'
import { Button } from '../../ui/button.tsx'
import { t } from '../../words/words.ts'
import type { ControlProps } from '../control.ts'
import { OfDocument } from '../of-document.ts'
import { extensionsOf } from '../upload/extensions.ts'
import { UploadZone } from '../upload/upload-zone.tsx'
import { useUploads } from '../upload/use-uploads.ts'

/** An uploaded file: its kind, size and pixels, and another in its place. */
export function AttachmentControl({ leaf }: ControlProps) {
  const { schema, place } = useEditor()
  const { site } = schema.value
  const value = leaf.value.value
  const file = isObject(value) ? value : null
  const uploads = useUploads(extensionsOf(leaf.field.options, site), (attachment) => leaf.set(attachment))
  const isPicture = useContext(OfDocument)?.typeName === `${place.namespace}/image`
  return (
    <>
      {file === null ? leaf.isLocked && <p>{t.controls.notSet}</p> : <FileCard file={file} />}
      {!leaf.isLocked && (
        <UploadZone uploads={uploads} label={file === null ? t.upload.upload : t.upload.replace}>
          {file !== null && <Button onPress={() => leaf.set(null)}>{t.upload.remove}</Button>}
        </UploadZone>
      )}
      {!leaf.isLocked && file !== null && isPicture && <p class="q-field-help">{t.upload.replacing}</p>}
    </>
  )
}

function FileCard({ file }: { readonly file: JsonObject }) {
  const { name, extension, group, length, width, height, _url, _urls } = file
  const title = `${String(name ?? '')}.${String(extension ?? '')}`
  const thumbnail = group === 'images' && isObject(_urls) ? _urls['one-sixth'] : null
  const facts = [
    String(extension ?? '').toUpperCase(),
    ...(typeof length === 'number' ? [t.upload.size(length)] : []),
    ...(typeof width === 'number' && typeof height === 'number' ? [t.upload.pixels(width, height)] : []),
  ]
  return (
    <div class="q-file">
      {typeof thumbnail === 'string' && <img class="q-thumbnail" src={thumbnail} alt="" />}
      <span class="q-file-about">
        {typeof _url === 'string' ? (
          <a href={_url} target="_blank" rel="noopener noreferrer">
            {title}
          </a>
        ) : (
          title
        )}
        <small>{facts.join(' · ')}</small>
      </span>
    </div>
  )
}
