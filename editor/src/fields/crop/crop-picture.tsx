import { useSignal } from '@preact/signals'
import type { TargetedKeyboardEvent, TargetedPointerEvent } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { PictureFile } from '../../data/related.ts'
import type { Edge, Point } from '../../model/crop.ts'
import { CropHandles } from './crop-handles.tsx'
import { dragged, type Handle, stepOf } from './handles.ts'
import type { OpenLook } from './use-look.ts'

interface CropPictureProps {
  readonly picture: PictureFile
  readonly look: OpenLook
  readonly canCrop: boolean
  readonly canFocus: boolean
}

/** The picture with its part and focal point, which pointers and arrow keys move. */
export function CropPicture({ picture, look, canCrop, canFocus }: CropPictureProps) {
  const svg = useRef<SVGSVGElement>(null)
  const unit = useUnit(svg)
  const held = useRef<{ handle: Handle; look: OpenLook['now']; at: Point } | null>(null)
  const { width, height } = picture
  const onDown = (event: TargetedPointerEvent<SVGSVGElement>) => {
    const handle = handleOf(event.target)
    if (handle === null) return
    event.currentTarget.setPointerCapture(event.pointerId)
    look.endStep()
    held.current = { handle, look: look.now, at: placeOf(event) }
  }
  const onMove = (event: TargetedPointerEvent<SVGSVGElement>) => {
    if (held.current === null) return
    const { handle, look: before, at } = held.current
    const { x, y } = placeOf(event)
    look.change(`drag ${String(handle)}`, dragged(before, picture, handle, { x: x - at.x, y: y - at.y }))
  }
  const onUp = () => {
    held.current = null
    look.endStep()
  }
  const onKey = (event: TargetedKeyboardEvent<SVGSVGElement>) => {
    const handle = handleOf(event.target)
    const by = handle && stepOf(event, picture, { handle, look: look.now })
    if (handle === null || by === null) return
    event.preventDefault()
    look.change(`keys ${String(handle)}`, dragged(look.now, picture, handle, by))
  }
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: the group around it has the name, and a title would be shown at the pointer.
    <svg
      ref={svg}
      class="q-crop-picture"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      onPointerDown={onDown}
      onPointerMove={onMove}
      onPointerUp={onUp}
      onPointerCancel={onUp}
      onKeyDown={onKey}
    >
      <image href={picture.url} width={width} height={height} preserveAspectRatio="none" />
      <CropHandles look={look.now} size={picture} unit={unit} canCrop={canCrop} canFocus={canFocus} />
    </svg>
  )
}

/** How many pixels of the picture one of the screen is. */
function useUnit(svg: { readonly current: SVGSVGElement | null }): number {
  const unit = useSignal(1)
  useEffect(() => {
    const element = svg.current
    if (element === null) return
    const measure = () => {
      unit.value = 1 / (element.getScreenCTM()?.a || 1)
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [svg, unit])
  return unit.value
}

/** Where a pointer is, in pixels of the picture. */
function placeOf({ currentTarget, clientX, clientY }: TargetedPointerEvent<SVGSVGElement>): Point {
  return new DOMPoint(clientX, clientY).matrixTransform(currentTarget.getScreenCTM()?.inverse())
}

function handleOf(target: EventTarget | null): Handle | null {
  const element = target instanceof Element ? target.closest('[data-handle]') : null
  const name = element?.getAttribute('data-handle') ?? ''
  if (name === '') return null
  // `as`: `crop-handles.tsx` names the edges.
  return name === 'move' || name === 'focus' ? name : (name.split(' ') as Edge[])
}
