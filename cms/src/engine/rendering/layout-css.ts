import { BREAKPOINTS, DEFAULT_GAP } from '../../model/declared/layout-options.ts'
import { LAYOUT_GAP } from '../../model/styles/css-names.ts'

const { mobile, tablet } = BREAKPOINTS

/** Columns on a grid; on tablets two beside each other, on phones one below the other. */
export const LAYOUT_CSS = [
  '.layout-widget{display:grid;grid-template-columns:repeat(var(--grid-columns,12),minmax(0,1fr));',
  `gap:var(--grid-gap,var(${LAYOUT_GAP},${DEFAULT_GAP}));`,
  'justify-items:var(--justify-items,stretch);align-items:var(--align-items,stretch)}',
  '.layout-widget>*{grid-column:var(--colstart,auto)/span var(--colspan,1);',
  'grid-row:var(--rowstart,auto)/span var(--rowspan,1);order:var(--order,0);min-width:0}',
  `@media (max-width:${tablet.breakpoint}px){.layout-widget{grid-template-columns:repeat(2,minmax(0,1fr))}`,
  '.layout-widget>*{grid-column:auto;grid-row:auto}.layout-widget>[data-tablet-full]{grid-column:1/-1}}',
  `@media (min-width:${mobile.breakpoint + 1}px) and (max-width:${tablet.breakpoint}px)`,
  '{.layout-widget>[data-visible-tablet=false]{display:none}}',
  `@media (max-width:${mobile.breakpoint}px){.layout-widget{grid-template-columns:minmax(0,1fr)}`,
  '.layout-widget>[data-visible-mobile=false]{display:none}}',
].join('')
