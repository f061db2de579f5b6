import { useSignal } from '@preact/signals'
import { Crop as CropIcon } from 'lucide'
import type { PictureFile } from '../../data/related.ts'
import { isLost, isWhole, LEAST, lookOf, saidBy } from '../../model/crop.ts'
import type { Leaf } from '../../model/form.ts'
import { saidOf, say } from '../../model/related.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { announce } from '../../ui/live.tsx'
import { note } from '../../ui/toast.tsx'
import { useLate } from '../../ui/use-late.ts'
import { t } from '../../words/words.ts'
import { madeCrops, rememberCrop } from './made-crops.ts'

interface CropUseProps {
  readonly leaf: Leaf
  readonly docId: string
  readonly title: string
  readonly picture: PictureFile
}

const CROP = ['left', 'top', 'width', 'height']
const FOCUS = ['x', 'y']

/** Which part of a picture this place shows, and the way to choose another one. */
export function CropUse({ leaf, docId, title, picture }: CropUseProps) {
  const isOpen = useSignal(false)
  const dialog = useLate(async () => (await import('../crop/crop-dialog.tsx')).CropDialog)
  const canFocus = mayWrite(leaf, FOCUS)
  const uncroppable = refusalOf(leaf, picture)
  if (leaf.isLocked || (!canFocus && !mayWrite(leaf, CROP))) return null
  const said = saidOf(leaf.value.value, docId)
  const made = madeCrops(leaf, docId, picture)
  const look = lookOf(said, picture, made)
  const lost = isLost(said, picture, made) ? t.crop.lost : null
  const { value: Dialog } = dialog.part
  const close = () => {
    isOpen.value = false
  }
  return (
    <span class="q-row">
      <Button
        label={t.crop.openOf(title)}
        onPress={() => {
          isOpen.value = true
          dialog.want(() => note(t.crop.failed))
        }}
      >
        <Icon of={CropIcon} /> {t.crop.open}
      </Button>
      {!isWhole(look.crop, picture) && <small>{t.crop.says(look.crop.width, look.crop.height)}</small>}
      {lost && <small class="q-warning">{lost}</small>}
      {isOpen.value && Dialog && (
        <Dialog
          title={title}
          picture={picture}
          look={look}
          uncroppable={uncroppable}
          canFocus={canFocus}
          notice={lost}
          onUse={(chosen) => {
            rememberCrop(picture, chosen.crop)
            say(leaf, docId, { ...saidOf(leaf.value.peek(), docId), ...only(saidBy(chosen, picture), leaf) })
            announce(t.crop.used)
            close()
          }}
          onClose={close}
        />
      )}
    </span>
  )
}

/** Whether the relationship has all of these numbers, and the caller may change them. */
function mayWrite({ field }: Leaf, names: readonly string[]): boolean {
  return names.every((name) => field.fields?.some((one) => one.name === name && !one.locked && !one.readOnly))
}

/** Why the picture cannot be cropped here; null where it can. */
function refusalOf(leaf: Leaf, { width, height, extension, isCroppable }: PictureFile): string | null {
  if (!mayWrite(leaf, CROP)) return t.crop.notHere
  if (!isCroppable) return t.crop.notPicture(extension)
  return Math.min(width, height) <= LEAST ? t.crop.tooSmall(width, height) : null
}

/** Keeps the numbers that the relationship takes. */
function only(said: ReturnType<typeof saidBy>, leaf: Leaf) {
  const taken = [...(mayWrite(leaf, CROP) ? CROP : []), ...(mayWrite(leaf, FOCUS) ? FOCUS : [])]
  return Object.fromEntries(Object.entries(said).filter(([name]) => taken.includes(name)))
}
