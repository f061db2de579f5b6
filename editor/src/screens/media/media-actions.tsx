import { useSignal } from '@preact/signals'
import { Download, Waypoints } from 'lucide'
import type { JsonObject } from 'quire-client'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { t } from '../../words/words.ts'
import { later } from '../parts/later.tsx'
import { titleOf } from '../parts/list/row.ts'
import { fileOf } from './media-file.ts'

const WhereDialog = later(async () => (await import('../parts/uses/where-dialog.tsx')).WhereDialog)

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
        label={t.uses.whereOf(title)}
        onPress={() => {
          isAsked.value = true
        }}
      >
        <Icon of={Waypoints} />
      </Button>
      {isAsked.value && (
        <WhereDialog
          of={{ path: name, docId: String(row.aposDocId), title }}
          onClose={() => {
            isAsked.value = false
          }}
        />
      )}
    </span>
  )
}
