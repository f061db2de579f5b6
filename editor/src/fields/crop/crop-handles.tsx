import { type Crop, type Edge, focusOf, type Look, type Point, type Size } from '../../model/crop.ts'
import { t } from '../../words/words.ts'
import { edgeFacts, isAcross } from './handles.ts'

interface CropHandlesProps {
  readonly look: Look
  readonly size: Size
  /** Pixels of the picture in one of the screen. */
  readonly unit: number
  readonly canCrop: boolean
  readonly canFocus: boolean
}

const EDGES = ['left', 'top', 'right', 'bottom'] as const
const CORNERS = [
  ['left', 'top'],
  ['right', 'top'],
  ['right', 'bottom'],
  ['left', 'bottom'],
] as const
/** Of what is taken hold of, on the screen. */
const TARGET = 24
const THIN = 8
const RADIUS = 13

/** The part, its edges and corners, and the focal point: each a slider, but the corners, which only pointers need. */
export function CropHandles({ look, size, unit, canCrop, canFocus }: CropHandlesProps) {
  return (
    <>
      <path class="q-crop-shade" d={shadeOf(look.crop, size)} fill-rule="evenodd" />
      {canCrop && <Part look={look} size={size} />}
      {canCrop && EDGES.map((edge) => <EdgeHandle key={edge} edge={edge} look={look} size={size} unit={unit} />)}
      {canCrop && CORNERS.map((edges) => <Corner key={edges.join(' ')} edges={edges} crop={look.crop} unit={unit} />)}
      {canFocus && <FocusHandle look={look} unit={unit} />}
    </>
  )
}

/** All of the picture but the part. */
function shadeOf({ left, top, width, height }: Crop, size: Size): string {
  return `M0 0H${size.width}V${size.height}H0ZM${left} ${top}h${width}v${height}h${-width}Z`
}

function Part({ look: { crop }, size }: { readonly look: Look; readonly size: Size }) {
  return (
    <rect
      class="q-crop-part"
      data-handle="move"
      role="slider"
      tabindex={0}
      aria-label={t.crop.move}
      aria-valuemin={0}
      aria-valuemax={size.width - crop.width}
      aria-valuenow={crop.left}
      aria-valuetext={t.crop.at(crop.left, crop.top)}
      x={crop.left}
      y={crop.top}
      width={crop.width}
      height={crop.height}
    />
  )
}

interface EdgeHandleProps {
  readonly edge: Edge
  readonly look: Look
  readonly size: Size
  readonly unit: number
}

/** A bar on the middle of an edge. */
function EdgeHandle({ edge, look, size, unit }: EdgeHandleProps) {
  const { now, least, most } = edgeFacts(look, size, edge)
  const { left, top, width, height } = look.crop
  const across = isAcross(edge)
  const at = across ? { x: now, y: top + height / 2 } : { x: left + width / 2, y: now }
  return (
    <g
      class="q-crop-edge"
      data-handle={edge}
      role="slider"
      tabindex={0}
      aria-orientation={across ? 'horizontal' : 'vertical'}
      aria-label={t.crop.edges[edge]}
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={now}
      aria-valuetext={t.crop.pixels(now)}
    >
      <Bar class="q-crop-target" at={at} width={TARGET * unit} height={TARGET * unit} />
      <Bar
        class="q-crop-bar"
        at={at}
        width={(across ? THIN : TARGET) * unit}
        height={(across ? TARGET : THIN) * unit}
      />
    </g>
  )
}

interface BarProps extends Size {
  readonly class: string
  /** Its middle. */
  readonly at: Point
}

function Bar({ at, width, height, ...attributes }: BarProps) {
  const round = Math.min(width, height) / 2
  return <rect {...attributes} x={at.x - width / 2} y={at.y - height / 2} rx={round} width={width} height={height} />
}

interface CornerProps {
  readonly edges: readonly Edge[]
  readonly crop: Crop
  readonly unit: number
}

function Corner({ edges, crop, unit }: CornerProps) {
  const x = edges.includes('left') ? crop.left : crop.left + crop.width
  const y = edges.includes('top') ? crop.top : crop.top + crop.height
  const side = 18 * unit
  return (
    <rect
      class="q-crop-corner"
      data-handle={edges.join(' ')}
      data-slant={(edges[0] === 'left') === (edges[1] === 'top') ? 'down' : 'up'}
      x={x - side / 2}
      y={y - side / 2}
      width={side}
      height={side}
    />
  )
}

function FocusHandle({ look, unit }: { readonly look: Look; readonly unit: number }) {
  const { crop } = look
  const { x, y } = focusOf(look)
  const at = { x: crop.left + (crop.width * x) / 100, y: crop.top + (crop.height * y) / 100 }
  const r = RADIUS * unit
  return (
    <g
      class={look.focus === null ? 'q-crop-focus q-crop-focus--middle' : 'q-crop-focus'}
      data-handle="focus"
      role="slider"
      tabindex={0}
      aria-label={t.crop.focus}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={x}
      aria-valuetext={t.crop.percent(x, y)}
    >
      <circle cx={at.x} cy={at.y} r={r} />
      <path d={`M${at.x - r} ${at.y}h${2 * r}M${at.x} ${at.y - r}v${2 * r}`} />
    </g>
  )
}
