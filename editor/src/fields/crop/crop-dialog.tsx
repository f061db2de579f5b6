import { useId } from 'preact/hooks'
import type { PictureFile } from '../../data/related.ts'
import { isWhole, type Look, shapedAs, wholeOf } from '../../model/crop.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Tick } from '../../ui/tick.tsx'
import { t } from '../../words/words.ts'
import { CropNumbers } from './crop-numbers.tsx'
import { CropPicture } from './crop-picture.tsx'
import { CropPreviews } from './crop-previews.tsx'
import { type OpenLook, useLook } from './use-look.ts'
import './crop.css'

interface CropDialogProps {
  readonly title: string
  readonly picture: PictureFile
  readonly look: Look
  /** Why the picture cannot be cropped here; null where it can. */
  readonly uncroppable: string | null
  readonly canFocus: boolean
  /** Something to know before. */
  readonly notice: string | null
  readonly onUse: (look: Look) => void
  readonly onClose: () => void
}

/** Lets a part of a picture and its focal point be chosen for one place. */
export function CropDialog(props: CropDialogProps) {
  const { title, picture, uncroppable, canFocus, notice, onUse, onClose } = props
  const look = useLook(props.look)
  const canCrop = uncroppable === null
  return (
    <Dialog
      title={t.crop.openOf(title)}
      size="large"
      onClose={onClose}
      actions={<Actions look={look} picture={picture} canCrop={canCrop} onUse={onUse} onClose={onClose} />}
    >
      <div class="q-crop">
        <p class="q-crop-help">{t.crop.help}</p>
        {[notice, uncroppable].map((one) => one !== null && <p class="q-warning">{one}</p>)}
        <fieldset class="q-crop-stage" aria-label={t.crop.part}>
          <CropPicture picture={picture} look={look} canCrop={canCrop} canFocus={canFocus} />
        </fieldset>
        <div class="q-crop-side">
          {canCrop && <Shapes look={look} picture={picture} />}
          <CropNumbers size={picture} look={look} canCrop={canCrop} canFocus={canFocus} />
          <CropPreviews picture={picture} look={look.now} />
        </div>
      </div>
    </Dialog>
  )
}

interface ActionsProps extends Pick<CropDialogProps, 'picture' | 'onUse' | 'onClose'> {
  readonly look: OpenLook
  readonly canCrop: boolean
}

function Actions({ look, picture, canCrop, onUse, onClose }: ActionsProps) {
  return (
    <>
      <span class="q-crop-tools">
        {canCrop && (
          <Button
            offBecause={isWhole(look.now.crop, picture) ? t.crop.isWhole : null}
            onPress={() => look.change('whole', { ...look.now, crop: wholeOf(picture), ratio: null })}
          >
            {t.crop.whole}
          </Button>
        )}
        <Button offBecause={look.canUndo ? null : t.crop.nothingToUndo} onPress={look.undo}>
          {t.crop.undo}
        </Button>
      </span>
      <Button onPress={onClose}>{t.frame.cancel}</Button>
      <Button kind="primary" onPress={() => onUse(look.now)}>
        {t.crop.use}
      </Button>
    </>
  )
}

const RATIOS = { free: null, square: 1, classic: 4 / 3, wide: 16 / 9 } as const

function Shapes({ look, picture }: { readonly look: OpenLook; readonly picture: PictureFile }) {
  const name = useId()
  return (
    <fieldset class="q-crop-shapes">
      <legend>{t.crop.shape}</legend>
      {(['free', 'square', 'classic', 'wide'] as const).map((shape) => (
        <Tick
          key={shape}
          type="radio"
          name={name}
          label={t.crop.shapes[shape]}
          checked={look.now.ratio === RATIOS[shape]}
          onChange={() => look.change(`shape ${shape}`, shapedAs(look.now, picture, RATIOS[shape]))}
        />
      ))}
    </fieldset>
  )
}
