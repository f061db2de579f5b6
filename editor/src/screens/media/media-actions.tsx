import { useSignal } from '@preact/signals'
import { Download, Waypoints } from 'lucide'
import type { JsonObject } from 'quire-client'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { t } from '../../words/words.ts'
import { titleOf } from '../parts/list/row.ts'
import { fileOf } from './media-file.ts'
import { UsesDialog } from './uses-dialog.tsx'

/** Actions on one image or file, other than opening it: its file, and where it is used. */
export function MediaActions({ name, row }: { readonly name: string; readonly row: JsonObject }) {
  const isAsked = useSignal(false)
  const { url } = fileOf(row)
  const title = titleOf(row)
  return (
    <span class="q-media-actions">
      {url !== null && (
        <a
          class="q-button q-button--quiet"
          href={url}
          download=""
          aria-label={t.media.downloadOf(title)}
          title={t.media.downloadOf(title)}
        >
          <Icon of={Download} />
        </a>
      )}
      <Button
        kind="quiet"
        label={t.media.whereOf(title)}
        onPress={() => {
          isAsked.value = true
        }}
      >
        <Icon of={Waypoints} />
      </Button>
      {isAsked.value && (
        <UsesDialog
          name={name}
          row={row}
          onClose={() => {
            isAsked.value = false
          }}
        />
      )}
    </span>
  )
}
