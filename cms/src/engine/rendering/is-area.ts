import { isObject } from '../../base/json.ts'
import type { ShownArea } from '../scene-parts.ts'

/** True for areas as answers hold them. */
export function isArea(value: unknown): value is ShownArea {
  return isObject(value) && value.metaType === 'area'
}
